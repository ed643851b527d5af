import { readFileSync } from "node:fs";

/** Images of the examples in Base64: drawn by this project, of no person and of no document that exists. */
export type ExampleImages = {
  /** A face from the front (JPEG). */
  readonly portrait: string;
  /** The same face at another moment (JPEG). */
  readonly selfie: string;
  /** The same face once more (JPEG): one image serves one call of a kind. */
  readonly laterSelfie: string;
  /** A passport's data page (PNG). */
  readonly passport: string;
  /** The same page; a check digit of its MRZ does not fit. */
  readonly contradictoryPassport: string;
};

const file = new URL("./images.generated.json", import.meta.url);

/** Written by `node scripts/example-images.ts`. */
export const exampleImages: ExampleImages = JSON.parse(readFileSync(file, "utf8"));

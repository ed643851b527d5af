import type { Imaging } from "../image.ts";
import { stripImage } from "./strip-image.ts";

/** Quality of a JPEG that is encoded anew: no eye sees the difference, and the file stays small. */
const quality = 95;

/**
 * The image as it is kept and handed out: stripped, and where its form does not allow that, encoded anew as a
 * JPEG. Fails as `open`.
 */
export const makeKeepPixels =
  ({ open, encodeJpeg }: Pick<Imaging, "open" | "encodeJpeg">) =>
  async ({ bytes }: { readonly bytes: Uint8Array }): Promise<Uint8Array> =>
    stripImage(bytes) ?? (await encodeJpeg(await open(bytes), quality));

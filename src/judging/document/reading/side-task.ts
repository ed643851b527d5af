import type { Imaging } from "#machine/imaging/image";
import type { ReadBarcodes } from "./barcode/read-barcodes.ts";
import type { FindQuad } from "./locate/find-quad.ts";
import type { ReadMrz } from "./mrz/read-mrz.ts";
import type { TextReader } from "./ocr/read-text.ts";
import type { FindFaces, MeasureLikeness } from "./portrait.ts";

/** Dependencies of reading one side. */
export type SideDeps = {
  readonly imaging: Pick<
    Imaging,
    "open" | "resize" | "rectify" | "rectifyGrey" | "crop" | "rotate" | "toGrey" | "encodeJpeg"
  >;
  readonly findQuad: FindQuad;
  readonly readMrz: ReadMrz;
  readonly readBarcodes: ReadBarcodes;
  readonly findFaces: FindFaces;
  readonly measureLikeness: MeasureLikeness;
  readonly text: TextReader;
};

/**
 * How the MRZ is searched on a side. `expected`: the side should carry it, so a near search runs before
 * anything else. `fallback`: only if the printed text did not identify the side. `none`: only the
 * printed text is needed. A side without an MRZ costs the reader most.
 */
export type MrzSearch = "expected" | "fallback" | "none";

/** Search settings of a side. */
export type SideTask = {
  readonly mrz: MrzSearch;
  readonly barcodes: boolean;
  /** Whether the traces of attacks are measured too. */
  readonly attacks: boolean;
  /** Whether the upright side is kept. */
  readonly upright: boolean;
};

/** Reads only the printed lines. */
export const printedLinesOnly: SideTask = {
  mrz: "none",
  barcodes: false,
  attacks: false,
  upright: false,
};

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import type { GreyImage } from "#imaging/image";

/** Symbols that identity documents carry; Code 39 is the one of stripes, on the edge of Peru's DNI. */
export type Symbology = "PDF417" | "QRCode" | "DataMatrix" | "Aztec" | "Code39";

/** A decoded symbol. `bytes` as they stand in the symbol, before any character set. */
export type ReadSymbol = { readonly symbology: Symbology; readonly bytes: Uint8Array };

/** Reads the symbols of an upright or quarter-turned picture, bounded to four of them. */
export type ReadSymbols = (
  image: GreyImage,
  symbologies: readonly Symbology[],
) => Promise<readonly ReadSymbol[]>;

export const allSymbologies: readonly Symbology[] = ["PDF417", "QRCode", "DataMatrix", "Aztec", "Code39"];

/** Measured on 672 pictures: these options hardly matter, naming the formats halves the time (docs/measurements.md). */
const options: ReaderOptions = {
  tryHarder: true,
  tryRotate: true,
  tryInvert: false,
  tryDownscale: true,
  binarizer: "LocalAverage",
  maxNumberOfSymbols: 4,
  textMode: "Plain",
};

/**
 * The zxing reader with its WebAssembly taken from the installed package. Without the handed-over bytes the
 * package would fetch them from a public content network at the first read. Rejects when the package is damaged.
 */
export const loadZxing = async (): Promise<ReadSymbols> => {
  const path = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  const file = await readFile(path);
  const wasmBinary = new Uint8Array(file).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return async (image, symbologies) => {
    const results = await readBarcodes(toPgm(image), { ...options, formats: [...symbologies] });
    return results.flatMap((result) => {
      const symbology = allSymbologies.find((known) => known === result.format);
      return result.isValid && symbology !== undefined ? [{ symbology, bytes: result.bytes }] : [];
    });
  };
};

/** The picture as a file (PGM, binary): of pixels the reader's binding makes grey once more, four bytes to each. */
const toPgm = ({ width, height, data }: GreyImage): Uint8Array => {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1");
  const file = new Uint8Array(header.length + data.length);
  file.set(header);
  file.set(data, header.length);
  return file;
};

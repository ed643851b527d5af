import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, type ReaderOptions, readBarcodes } from "zxing-wasm/reader";
import type { GreyImage } from "#machine/imaging/image";

/** Barcode types on identity documents; Code 39 is the linear code on the edge of Peru's DNI. */
export type Symbology = "PDF417" | "QRCode" | "DataMatrix" | "Aztec" | "Code39";

/** A decoded barcode. `bytes` are the stored bytes, before any character set is applied. */
export type DecodedBarcode = { readonly symbology: Symbology; readonly bytes: Uint8Array };

/** Reads at most four barcodes of an image that is upright or rotated by a quarter. */
export type DecodeBarcodes = (
  image: GreyImage,
  symbologies: readonly Symbology[],
) => Promise<readonly DecodedBarcode[]>;

export const allSymbologies: readonly Symbology[] = ["PDF417", "QRCode", "DataMatrix", "Aztec", "Code39"];

/**
 * Measured on 672 images: these options hardly matter, but naming the formats halves the time
 * (docs/measurements/documents.md).
 */
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
 * Loads the zxing reader with the WebAssembly of the installed package. Without these bytes the package would
 * download them from a public CDN at the first read. Rejects when the package is damaged.
 */
export const loadZxing = async (): Promise<DecodeBarcodes> => {
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

/**
 * The image as a file (binary PGM). With raw pixels the reader's binding would convert to grey again, four
 * bytes per pixel.
 */
const toPgm = ({ width, height, data }: GreyImage): Uint8Array => {
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`, "latin1");
  const file = new Uint8Array(header.length + data.length);
  file.set(header);
  file.set(data, header.length);
  return file;
};

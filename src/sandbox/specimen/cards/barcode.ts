import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";
import type { Symbology } from "#judging/document/reading/barcode/zxing";
import type { Image } from "#machine/imaging/image";

/** Draws a barcode of a text with its quiet zone, `modulePx` pixels per module. */
export const drawBarcode = async (text: string, symbology: Symbology, modulePx: number): Promise<Image> => {
  const path = createRequire(import.meta.url).resolve("zxing-wasm/writer/zxing_writer.wasm");
  const wasmBinary = new Uint8Array(await readFile(path)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  const plain = { format: symbology, scale: 1, addQuietZones: true };
  const options = symbology === "PDF417" ? { ...plain, ecLevel: "3" as const } : plain;
  const { symbol: barcode, error } = await writeBarcode(text, options);
  if (error !== "") {
    throw new Error(`The barcode could not be drawn: ${error}`);
  }
  return enlarge(barcode, modulePx);
};

const enlarge = (
  barcode: { width: number; height: number; data: ArrayLike<number> },
  factor: number,
): Image => {
  const width = barcode.width * factor;
  const height = barcode.height * factor;
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = barcode.data[Math.floor(y / factor) * barcode.width + Math.floor(x / factor)] ?? 255;
      data.fill(value, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
  return { width, height, data };
};

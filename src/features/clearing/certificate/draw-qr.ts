import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";

/** Rows of modules, without the light margin; true is dark. */
export type QrSymbol = readonly (readonly boolean[])[];

/**
 * A text as a QR code at level M (ISO/IEC 18004); undefined where no code holds it. Made by
 * {@link makeDrawQr}.
 */
export type DrawQr = (text: string) => Promise<QrSymbol | undefined>;

/** Most bytes of version 40 at level M (ISO/IEC 18004, table 7). */
const bytesMax = 2_331;

/** The wasm comes from the package: nothing is fetched. */
const load = async (): Promise<void> => {
  const path = createRequire(import.meta.url).resolve("zxing-wasm/writer/zxing_writer.wasm");
  const wasmBinary = new Uint8Array(await readFile(path)).buffer;
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
};

/** Draws with zxing, which is loaded with the first symbol. */
export const makeDrawQr = (): DrawQr => {
  let loaded: Promise<void> | undefined;
  return async (text) => {
    if (text === "" || Buffer.byteLength(text) > bytesMax) return undefined;
    await (loaded ??= load());
    const options = { format: "QRCode", ecLevel: "M", scale: 1, addQuietZones: false } as const;
    const { symbol, error } = await writeBarcode(text, options);
    if (error !== "") throw new Error(`The QR code could not be drawn: ${error}`);
    return Array.from({ length: symbol.height }, (_, row) =>
      Array.from(symbol.data.subarray(row * symbol.width, (row + 1) * symbol.width), (value) => value < 128),
    );
  };
};

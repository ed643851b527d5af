import { beforeAll, describe, expect, it } from "vitest";
import { type DecodeBarcodes, loadZxing } from "#judging/document/reading/barcode/zxing";
import { makeDrawQr, type QrSymbol } from "./draw-qr.ts";

const drawQr = makeDrawQr();
let decode: DecodeBarcodes;
beforeAll(async () => {
  decode = await loadZxing();
});

const modulePx = 3;
const quiet = 4;

/** The symbol as a grey image with its quiet zone, as a camera would see it. */
const pixelsOf = (symbol: QrSymbol) => {
  const side = (symbol.length + 2 * quiet) * modulePx;
  const data = new Uint8Array(side * side).fill(255);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const [row, column] = [Math.floor(y / modulePx) - quiet, Math.floor(x / modulePx) - quiet];
      if (symbol[row]?.[column] === true) data[y * side + x] = 0;
    }
  }
  return { width: side, height: side, data };
};

const readBack = async (text: string): Promise<string | undefined> => {
  const symbol = await drawQr(text);
  if (symbol === undefined) return undefined;
  const [read] = await decode(pixelsOf(symbol), ["QRCode"]);
  return read && Buffer.from(read.bytes).toString("utf8");
};

const link = "https://idem.example/services/clearing/2db602ee-3564-4304-af95-92a52eaae12d/certificate?token=";

describe("a QR code", () => {
  it.each([1, 50, 200, 666])("is read back for a link with %i letters behind it", async (letters) => {
    const text = link + "k7Zq".repeat(letters).slice(0, letters);
    expect(await readBack(text)).toBe(text);
  });

  it("is square, and has as many modules as its version", async () => {
    const symbol = await drawQr(link);
    expect(symbol?.every((row) => row.length === symbol.length)).toBe(true);
    expect(((symbol?.length ?? 0) - 17) % 4).toBe(0);
  });

  it("is absent for a text that no code holds at level M", async () => {
    expect(await drawQr("a".repeat(2_331))).toHaveLength(177);
    expect(await drawQr("a".repeat(2_332))).toBeUndefined();
    expect(await drawQr("")).toBeUndefined();
  });
});

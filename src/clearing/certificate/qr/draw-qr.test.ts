import { beforeAll, describe, expect, it } from "vitest";
import { type DecodeBarcodes, loadZxing } from "#document/reading/barcode/zxing";
import { drawQr, type QrSymbol } from "./draw-qr.ts";

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
  const symbol = drawQr(text);
  if (symbol === undefined) return undefined;
  const [read] = await decode(pixelsOf(symbol), ["QRCode"]);
  return read && Buffer.from(read.bytes).toString("utf8");
};

/** Most bytes at level M by version (ISO/IEC 18004, table 7). */
const capacities = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
];

describe("a QR code", () => {
  it.each(capacities.map((bytes, at) => [at + 1, bytes]))(
    "of version %i holds %i bytes, and no more",
    async (version, bytes) => {
      const full = "https://idem.example/áé?".padEnd(bytes, "k7Zq").slice(0, bytes - 2);
      const text = version === 1 ? "k7Zqk7Zqk7Zqk7" : full;
      expect(Buffer.byteLength(text)).toBe(bytes);
      expect(drawQr(text)).toHaveLength(version * 4 + 17);
      expect(await readBack(text)).toBe(text);
      const longer = drawQr(`${text}a`);
      expect(longer?.length).toBe(version === 20 ? undefined : version * 4 + 21);
    },
  );

  it("is read back for every length of a link", async () => {
    for (let length = 1; length <= 213; length += 7) {
      const text = "a/b?c=d&".repeat(30).slice(0, length);
      expect(await readBack(text)).toBe(text);
    }
  });

  it("holds an empty text", () => {
    expect(drawQr("")).toHaveLength(21);
  });
});

import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawBarcode } from "#sandbox/specimen/cards/barcode";
import { drawBlankCard, stamp } from "#sandbox/specimen/cards/blank-card";
import { photograph } from "#support/document/photograph";
import { openRecord } from "#support/networks/open-record";
import { sharedNetworks } from "#support/networks/shared-networks";
import { makeReadCardMaps } from "../locate/card-maps.ts";
import { makeFindQuad } from "../locate/find-quad.ts";
import { parseAamva } from "./aamva.ts";
import { payloadText } from "./payload-text.ts";
import { defaultSweepBudget, makeReadBarcodes } from "./read-barcodes.ts";
import { type DecodeBarcodes, loadZxing } from "./zxing.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const network = sharedNetworks().networks["card-finder"];
const findQuad = makeFindQuad(imaging, makeReadCardMaps(imaging, network));
const decodeBarcodes = await loadZxing();
const readBarcodes = makeReadBarcodes(imaging, decodeBarcodes, defaultSweepBudget);

const measured = openRecord(import.meta.url);

const licence = (number: string) =>
  `@\n\x1e\rANSI 636000080001DL00310200DLDAQ${number}\nDCSMUESTRA\nDDEN\nDACANA MARIA\nDDFN\nDADNONE\nDBD01152020\n` +
  "DBB03041990\nDBA03042028\nDBC2\nDAYBRO\nDAU165 cm\nDAG1 EXAMPLE ST\nDAIRICHMOND\nDAJVA\nDAK232190000\nDCGUSA\r";

const backOf = async (text: string) => {
  const card = drawBlankCard(1300, 820, 5);
  stamp(card, await drawBarcode(text, "PDF417", 3), 60, 90);
  return card;
};

describe("reading barcodes of a card", () => {
  it.each([0, 4, 11, -9])("reads a licence rotated by %d degrees", async (rotationDegrees) => {
    const shot = {
      width: 1600,
      height: 1200,
      share: 0.8,
      rotationDegrees,
      tilt: 0.04,
      blurPx: 0.7,
      noise: 4,
      light: 0.1,
    };
    const [barcode] = await measured(`a licence rotated by ${rotationDegrees}`, async () => {
      const { image } = photograph(await backOf(licence("X1234567")), { ...shot, seed: 3 });
      const card = await findQuad(image);
      return await readBarcodes(image, { quad: card!.quad });
    });
    expect(barcode).toMatchObject({ symbology: "PDF417", layout: "aamva" });
    expect(parseAamva(barcode?.text ?? "")).toMatchObject({
      documentNumber: "X1234567",
      lastName: "MUESTRA",
    });
  });

  it("confirms a payload without a known layout only when two images give it", async () => {
    const shot = {
      width: 1600,
      height: 1200,
      share: 0.8,
      rotationDegrees: 3,
      tilt: 0,
      blurPx: 0.4,
      noise: 2,
      light: 0,
    };
    const [barcode] = await measured("no known layout", async () => {
      const card = await backOf("no layout that is known here, but long enough for a symbol of some rows");
      const { image, quad } = photograph(card, { ...shot, seed: 4 });
      return await readBarcodes(image, { quad });
    });
    expect(barcode?.reads).toBe(2);
  });

  it("reads the Code 39 of Peru's card in two images, and no other Code 39", async () => {
    const shot = {
      width: 1600,
      height: 1200,
      share: 0.8,
      rotationDegrees: 6,
      tilt: 0.02,
      blurPx: 0.5,
      noise: 3,
      light: 0,
    };
    const striped = (text: string) =>
      measured(`Code 39 of ${text}`, async () => {
        const card = drawBlankCard(1300, 820, 5);
        stamp(card, await drawBarcode(text, "Code39", 3), 60, 90);
        const { image, quad } = photograph(card, { ...shot, seed: 4 });
        return await readBarcodes(image, { quad });
      });
    expect(await striped("12345678")).toEqual([
      expect.objectContaining({ symbology: "Code39", layout: "per.code39", reads: 2 }),
    ]);
    expect(await striped("ABC1234")).toEqual([]);
  });

  it("finds none on a card without one", async () => {
    const found = await measured("a card without one", async () => {
      const { image, quad } = photograph(drawBlankCard(900, 560, 2), {
        width: 1000,
        height: 750,
        share: 0.8,
        rotationDegrees: 2,
        tilt: 0,
        blurPx: 0.5,
        noise: 3,
        light: 0,
        seed: 1,
      });
      return await readBarcodes(image, { quad });
    });
    expect(found).toEqual([]);
  });
});

describe("an image without a located card", () => {
  const shot = { share: 0.8, tilt: 0.04, blurPx: 0.7, noise: 4, light: 0.1, seed: 3 };

  /** Twelve megapixels of texture, like a tablecloth. */
  const drawLarge = (): Image => {
    const data = new Uint8Array(4000 * 3000 * 3);
    for (let at = 0; at < data.length; at++) data[at] = (at * 2_654_435_761) >>> 25;
    return { width: 4000, height: 3000, data };
  };

  /** Decodes barcodes and records the width of each image. */
  const noting =
    (widths: number[]): DecodeBarcodes =>
    (image, symbologies) => {
      widths.push(image.width);
      return decodeBarcodes(image, symbologies);
    };

  it.each([0, 8, 90, 184])("is searched for a barcode rotated by %d degrees", async (rotationDegrees) => {
    const frame = { width: 1600, height: 1600, rotationDegrees };
    const [barcode] = await measured(`no card, rotated by ${rotationDegrees}`, async () => {
      const { image } = photograph(await backOf(licence("X1234567")), { ...shot, ...frame });
      return await readBarcodes(image, { isPrinted: true });
    });
    expect(barcode).toMatchObject({ symbology: "PDF417", layout: "aamva" });
  });

  it("is searched at a reduced size and within the budget, however large it is", async () => {
    const { found, widths } = await measured("a large image, printed", async () => {
      const read: number[] = [];
      // Each read advances the clock by 400 ms. The fourth begins at 1200 of 1500 ms; a fifth would begin too
      // late.
      const budget = { ms: 1500, clock: () => 400 * read.length };
      const search = makeReadBarcodes(imaging, noting(read), budget);
      return { found: await search(drawLarge(), { isPrinted: true }), widths: read };
    });
    expect(found).toEqual([]);
    expect(widths).toHaveLength(4);
    expect(Math.max(...widths)).toBeLessThan(2300);
  });

  it("is searched at a smaller size and at small angles only when no text was read", async () => {
    const search = (widths: number[], image: Image) =>
      makeReadBarcodes(imaging, noting(widths), { ms: 1500, clock: () => 0 })(image, { isPrinted: false });
    const { found, widths } = await measured("a large image without text", async () => {
      const read: number[] = [];
      return { found: await search(read, drawLarge()), widths: read };
    });
    expect(found).toEqual([]);
    expect(widths).toHaveLength(3);
    expect(Math.max(...widths)).toBeLessThan(1400);
    for (const rotationDegrees of [0, 6, 97]) {
      const barcodes = await measured(`without text, rotated by ${rotationDegrees}`, async () => {
        const frame = { width: 1600, height: 1600, rotationDegrees };
        const { image } = photograph(await backOf(licence("X1234567")), { ...shot, ...frame });
        return await search([], image);
      });
      expect(barcodes).toMatchObject([{ layout: "aamva" }]);
    }
  });

  it("costs a bounded share of the processor", async () => {
    const large = drawLarge();
    const before = defaultSweepBudget.clock();
    await readBarcodes(large, { isPrinted: true });
    expect(defaultSweepBudget.clock() - before).toBeLessThan(2500);
  });
});

describe("the text of a payload", () => {
  it("is UTF-8 when the bytes are UTF-8, else ISO-8859-1", () => {
    expect(payloadText(Buffer.from("NÚÑEZ", "utf8"))).toBe("NÚÑEZ");
    expect(payloadText(Buffer.from("NÚÑEZ", "latin1"))).toBe("NÚÑEZ");
  });
});

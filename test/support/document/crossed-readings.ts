import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { barcodeOf } from "#judging/document/reading/barcode/barcode";
import type { TextLine } from "#judging/document/reading/ocr/text-line";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import { type CrossedCountry, crossedCountries } from "./crossed-cards.ts";
import { mrzOf, readingOf, sideOf } from "./reading.ts";

/** A line: its text, its confidence, and its box as shares of the side. */
export const lineShape = Type.Tuple([
  Type.String(),
  Type.Number(),
  Type.Number(),
  Type.Number(),
  Type.Number(),
  Type.Number(),
]);

export const symbologyShape = Type.Enum(["QRCode", "PDF417", "Code39"]);

/** What the readers read of two drawn and photographed sides. Written by `node scripts/record-crossed-cards.ts`. */
export const recordedShape = Compile(
  Type.Record(
    Type.String(),
    Type.Array(
      Type.Object({
        front: Type.Array(lineShape),
        back: Type.Array(lineShape),
        mrz: Type.Array(Type.String()),
        barcodes: Type.Array(Type.Object({ symbology: symbologyShape, text: Type.String() })),
      }),
    ),
  ),
);

const file = new URL("crossed-readings.generated.json", import.meta.url);

/** Lines from their recorded rows. */
export const linesOf = (rows: readonly (readonly [string, ...number[]])[]): readonly TextLine[] =>
  rows.map(([text, confidence = 0, x = 0, y = 0, width = 0, height = 0]) => ({
    text,
    confidence,
    box: { x, y, width, height },
  }));

type Sides = { readonly front: SideReading; readonly back: SideReading };

/** The recorded cards of the two persons of each country. */
export const readCrossedSides = (): readonly (readonly [CrossedCountry, readonly [Sides, Sides]])[] => {
  const recorded = recordedShape.Parse(JSON.parse(readFileSync(file, "utf8")));
  return crossedCountries.map((country) => {
    const [one, other] = (recorded[country] ?? []).map(({ front, back, mrz, barcodes }): Sides => {
      const { portrait: _, ...behind } = sideOf({
        lines: linesOf(back),
        sha256: "cd".repeat(32),
        faces: 0,
        ...(mrz.length > 0 && { mrz: mrzOf(mrz) }),
        barcodes: barcodes.map(({ symbology, text }) =>
          barcodeOf({ symbology, bytes: Buffer.from(text, "latin1") }),
        ),
      });
      return { front: sideOf({ lines: linesOf(front), rotationKnownBy: "face" }), back: behind };
    });
    if (one === undefined || other === undefined) throw new Error(`No two cards of ${country} are recorded`);
    return [country, [one, other]];
  });
};

/** The front of one card with the back of another. */
export const cross = ({ front }: Sides, { back }: Sides): DocumentReading => readingOf(front, back);

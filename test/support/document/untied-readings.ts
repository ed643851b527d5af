import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { barcodeOf } from "#judging/document/reading/barcode/barcode";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import { lineShape, linesOf, symbologyShape } from "./crossed-readings.ts";
import { mrzOf, readingOf, sideOf } from "./reading.ts";
import { type Scene, untiedScenes } from "./untied-cards.ts";

const sideShape = Type.Object({
  lines: Type.Array(lineShape),
  mrz: Type.Optional(
    Type.Object({ lines: Type.Array(Type.String()), accepted: Type.Boolean(), clear: Type.Boolean() }),
  ),
  barcodes: Type.Array(Type.Object({ symbology: symbologyShape, text: Type.String() })),
  faces: Type.Integer(),
  hasPortrait: Type.Boolean(),
});

/** What the readers read of the scenes, in their order. Written by `node scripts/record-untied-cards.ts`. */
const recordedShape = Compile(
  Type.Array(
    Type.Object({
      name: Type.String(),
      country: Type.String(),
      swapped: Type.Boolean(),
      front: sideShape,
      back: Type.Optional(sideShape),
    }),
  ),
);

const file = new URL("untied-readings.generated.json", import.meta.url);

const sideFrom = (
  { lines, mrz, barcodes, faces, hasPortrait }: Type.Static<typeof sideShape>,
  sha256: string,
): SideReading => {
  const side = sideOf({
    lines: linesOf(lines),
    sha256,
    faces,
    rotationKnownBy: "face",
    barcodes: barcodes.map(({ symbology, text }) =>
      barcodeOf({ symbology, bytes: Buffer.from(text, "latin1") }),
    ),
    ...(mrz && { mrz: mrzOf(mrz.lines, { accepted: mrz.accepted, clear: mrz.clear }) }),
  });
  const { portrait: _, ...without } = side;
  return hasPortrait ? side : without;
};

/** The recorded reading of each scene. Throws where the scenes were changed and not recorded. */
export const readUntied = (): readonly (readonly [Scene, DocumentReading])[] => {
  const recorded = recordedShape.Parse(JSON.parse(readFileSync(file, "utf8")));
  return untiedScenes.map((scene, i) => {
    const one = recorded[i];
    if (one === undefined || one.name !== scene.name || one.country !== scene.country) {
      throw new Error(`${scene.name} of ${scene.country} is not recorded`);
    }
    const { front, back, swapped } = one;
    const reading = readingOf(
      sideFrom(front, "ab".repeat(32)),
      back === undefined ? undefined : sideFrom(back, "cd".repeat(32)),
    );
    return [scene, { ...reading, swapped }];
  });
};

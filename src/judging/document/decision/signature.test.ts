import { describe, expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { painted } from "#sandbox/specimen/canvas";
import { line, printed } from "#support/document/printed-lines";
import type { TextLine } from "../reading/ocr/text-line.ts";
import type { DocumentModel } from "./models/document-model.ts";
import { readDocumentModels } from "./models/read-models.ts";
import { findSignature, makeCutPart } from "./signature.ts";
import { normaliseText } from "./viz/normalise-text.ts";

const { national, generic } = readDocumentModels();
const models = [...national, ...generic];

const find = (id: string, front: readonly TextLine[], change: Partial<DocumentModel["signature"]> = {}) => {
  const model = models.find((candidate) => candidate.id === id);
  if (model?.signature === undefined) throw new Error(`${id} has no signature`);
  const signature = { ...model.signature, ...change };
  return findSignature({ ...model, signature }, { front, back: [] }, normaliseText);
};

describe("a signature", () => {
  it("is above or below its label, by the model's place", () => {
    const under = find("CHL-ID-2024", printed([0.36, 0.95, "FIRMA DEL T1TULAR"]));
    expect(under).toMatchObject({ side: "front", box: { y: expect.closeTo(0.77, 2) } });
    const above = find("CHL-ID-2024", printed([0.36, 0.7, "FIRMA DEL TITULAR"]));
    expect(above?.box.y).toBeCloseTo(0.742, 3);
  });

  it("is on the side with less print, without a known place", () => {
    const label = [0.3, 0.7, "Firma del titular / Holder's signature"] as const;
    const box = (...rows: readonly (readonly [number, number, string])[]) =>
      find("ICAO-TD3", [...printed(label, ...rows), line(0.3, 0.78, "uNiŹ", 0.48)])?.box;
    expect(box([0.3, 0.65, "REGISTRO CIVIL"])?.y).toBeCloseTo(0.742, 3);
    expect(box([0.3, 0.65, "REGISTRO CIVIL"], [0.1, 0.83, "P<UTOERIKSSON<<ANNA<MARIA"])?.height).toBeCloseTo(
      0.088,
      3,
    );
    expect(box([0.3, 0.8, "P<UTOERIKSSON<<ANNA<MARIA"])?.y).toBeCloseTo(0.56, 3);
  });

  it("is not taken from an unconfirmed place, or from a card without a model", () => {
    expect(find("CHL-ID-2024", [])).toBeUndefined();
    expect(find("CHL-ID-2024", [], { sure: "S" })).toMatchObject({ box: { x: 0.32, y: 0.74 } });
    expect(findSignature(undefined, { front: [], back: [] }, normaliseText)).toBeUndefined();
  });

  it("is cut out of the upright side, whatever its place", async () => {
    const imaging = makeImaging({ limits: { ...defaultImagingLimits, sideMin: 1 } });
    const cutPart = makeCutPart(imaging);
    const isInk = (x: number, y: number): boolean => x >= 100 && x < 200 && y >= 60 && y < 90;
    const side = painted(400, 252, (x, y) => (isInk(x, y) ? [20, 20, 60] : [240, 240, 240]));
    const jpeg = await imaging.encodeJpeg(side, 92);
    const cut = await imaging.open(await cutPart(jpeg, { x: 0.25, y: 0.24, width: 0.25, height: 0.12 }));
    expect([cut.width, cut.height]).toEqual([100, 30]);
    expect(cut.data.reduce((sum, value) => sum + value, 0) / cut.data.length).toBeLessThan(60);
    const corner = await imaging.open(await cutPart(jpeg, { x: 1, y: 1, width: 0, height: 0 }));
    expect([corner.width, corner.height]).toEqual([1, 1]);
  });
});

import { describe, expect, it } from "vitest";
import { goodFace, goodImage } from "#support/face/measured";
import { judgeLiveness } from "./liveness/judge-liveness.ts";
import { defaultFacePolicy } from "./policy.ts";
import { comparisonOf, livenessOf, measurementsOf } from "./record.ts";

describe("the record of a measured image", () => {
  it("has the inputs of the judges, and nothing that identifies a person", () => {
    const { fingerprint: _fingerprint, ...face } = goodFace;
    const { kind, file, width, height, scale, faceWidths, cues } = goodImage;
    expect(measurementsOf({ ...goodImage, template: new Uint8Array(9) })).toEqual({
      kind,
      file,
      width,
      height,
      scale,
      faceWidths,
      face,
      cues,
    });
  });

  it("states that the file's own texts exist, and names a known editor, never the texts", () => {
    const recorded = (change: Partial<typeof goodImage.file>) => {
      const text = JSON.stringify(measurementsOf({ ...goodImage, file: { ...goodImage.file, ...change } }));
      return [
        text.includes("Ana"),
        /"exifSoftware":"(\w+)"/.exec(text)?.[1],
        /"exifCamera":"([\w ]+)"/.exec(text)?.[1],
      ];
    };
    expect(recorded({ exifSoftware: "Photoshop of Ana" })).toEqual([false, "photoshop", undefined]);
    expect(recorded({ exifSoftware: "Ana's tool", exifCamera: "Ana's camera" })).toEqual([
      false,
      "other",
      "a camera",
    ]);
    expect(recorded({})).toEqual([false, undefined, undefined]);
  });

  it("has null for a value that is not a number, and only the kind of a failed image", () => {
    const face = { ...goodFace, eyeDistancePx: Number.NaN, presence: Number.POSITIVE_INFINITY };
    expect(measurementsOf({ ...goodImage, face })).toMatchObject({
      face: { eyeDistancePx: null, presence: null },
    });
    expect(measurementsOf({ kind: "unreadable", code: "image_unreadable" })).toEqual({ kind: "unreadable" });
    expect(measurementsOf({ kind: "broken" })).toEqual({ kind: "broken" });
  });
});

describe("the record of a judgement", () => {
  it("has the numbers of a comparison, and null for what was not compared", () => {
    const comparison = { score: 3, similarity: 0.6, falseMatchRate: 1e-3, cosines: [0.9, 0.8] };
    expect(comparisonOf({ result: "Positive", use: "selfie", comparison })).toEqual({
      result: "Positive",
      use: "selfie",
      score: 3,
      similarity: 0.6,
      falseMatchRate: 1e-3,
    });
    const nothing = { use: null, score: null, similarity: null, falseMatchRate: null };
    expect(comparisonOf({ result: "None" })).toEqual({ result: "None", ...nothing });
  });

  it("has the weight of every cue of a liveness judgement", () => {
    const judged = judgeLiveness(goodImage, defaultFacePolicy.liveness);
    expect(livenessOf(judged)).toEqual({
      result: "Live",
      assurance: "advisory",
      attackScore: judged.attackScore,
      cues: Object.fromEntries(judged.evidence.map(({ cue, weight }) => [cue, weight])),
    });
    expect(livenessOf({ result: "None", assurance: "model", evidence: [] })).toMatchObject({
      attackScore: null,
      cues: {},
    });
  });
});

import { describe, expect, it } from "vitest";
import { goodImage } from "#support/face/measured";
import type { LivenessJudgement } from "./liveness/judge-liveness.ts";
import { detailsOfFaces, hasFace } from "./operation-details.ts";

const selfie = new Uint8Array([1]);
const portrait = new Uint8Array([2]);
const liveness: LivenessJudgement = { result: "Live", assurance: "advisory", evidence: [] };
const { face: _face, ...faceless } = goodImage;

describe("the details of a face call", () => {
  it("states the capture, then the comparison, then liveness", () => {
    expect(detailsOfFaces({ selfie, portrait }, { facial: { result: "None" }, liveness })).toEqual({
      images: { selfie, id_portrait: portrait },
      events: [
        { name: "selfie_captured", data: {} },
        { name: "facial_authentication_evaluated", data: { status: "None", similarity: 0 } },
        { name: "passive_liveness_evaluated", data: { diagnostic: "Live" } },
      ],
    });
  });

  it("states no capture without a selfie, and keeps no image that there is not", () => {
    const compared = { name: "facial_authentication_evaluated", data: { status: "None", similarity: 0 } };
    expect(detailsOfFaces({ portrait }, { facial: { result: "None" } })).toStrictEqual({
      images: { id_portrait: portrait },
      events: [compared],
    });
    const captured = { name: "selfie_captured", data: {} };
    expect(detailsOfFaces({ selfie }, {})).toStrictEqual({ images: { selfie }, events: [captured] });
  });

  it("states nothing of a part that was not judged", () => {
    expect(detailsOfFaces({}, {})).toEqual({ images: {}, events: [] });
    const judged = { name: "passive_liveness_evaluated", data: { diagnostic: "Live" } };
    expect(detailsOfFaces({}, { liveness })).toStrictEqual({ images: {}, events: [judged] });
  });
});

describe("an image", () => {
  it("shows a face where one was measured, and none where it was not or the engine broke", () => {
    expect([goodImage, faceless, { kind: "broken" } as const].map(hasFace)).toEqual([true, false, false]);
  });
});

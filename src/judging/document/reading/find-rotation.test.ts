import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawBlankCard } from "#sandbox/specimen/cards/blank-card";
import { findUpright } from "./find-rotation.ts";
import type { FoundFace } from "./portrait.ts";
import type { QuarterRotations } from "./quarter-rotations.ts";
import { frameQuad } from "./upright.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const card = drawBlankCard(320, 200, 3);

/**
 * Faces with these scores by rotation, and the rotation that the text shows; records the images searched for
 * faces.
 */
const find = async (
  scores: Partial<Record<QuarterRotations, number>>,
  textRotation: QuarterRotations | undefined,
) => {
  const searched: Image[] = [];
  const order: readonly QuarterRotations[] = [0, 2, 1, 3];
  const findFaces = async (image: Image): Promise<readonly FoundFace[]> => {
    const score = scores[order[searched.push(image) - 1]!];
    return score === undefined ? [] : [{ box: { x: 9, y: 9, width: 40, height: 40 }, score, rollDegrees: 0 }];
  };
  const findTextRotation = async () => textRotation;
  const side = await findUpright(imaging, findFaces, card, frameQuad(card), undefined, findTextRotation);
  return { side, searched };
};

describe("findUpright", () => {
  it("stops at a reliable face, and takes the higher score of an axis", async () => {
    const { side, searched } = await find({ 0: 0.7, 2: 0.9 }, 1);
    expect(side).toMatchObject({ rotations: 2, rotationKnownBy: "face" });
    expect(searched).toHaveLength(2);
  });

  it("uses the text when no face is reliable, and searches each rotation for faces only once", async () => {
    const { side, searched } = await find({ 1: 0.5 }, 3);
    expect(side).toMatchObject({ rotations: 3, rotationKnownBy: "text", faces: [] });
    expect([side.image.width, side.image.height]).toEqual([200, 320]);
    expect(searched).toHaveLength(4);
    expect(side.image).toBe(searched[3]);
  });

  it("takes an unreliable face when the text gives no rotation, else keeps the image as it is", async () => {
    expect((await find({ 1: 0.5 }, undefined)).side).toMatchObject({ rotations: 1, rotationKnownBy: "face" });
    expect((await find({}, undefined)).side).toMatchObject({ rotations: 0, rotationKnownBy: "nothing" });
  });
});

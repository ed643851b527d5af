import { describe, expect, it } from "vitest";
import type { Image } from "#imaging/image";
import { makeImaging } from "../imaging/imaging.ts";
import { defaultImagingLimits } from "../imaging/limits.ts";
import { findUpright } from "./find-turn.ts";
import type { FoundFace } from "./portrait.ts";
import type { QuarterTurns } from "./reading.ts";
import { drawCard } from "./testing/card.ts";
import { frameQuad } from "./upright.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const card = drawCard(320, 200, 3);

/** Faces of these scores by turn, text that tells a turn; what was looked at for faces is kept. */
const find = async (scores: Partial<Record<QuarterTurns, number>>, told: QuarterTurns | undefined) => {
  const looked: Image[] = [];
  const order: readonly QuarterTurns[] = [0, 2, 1, 3];
  const findFaces = async (image: Image): Promise<readonly FoundFace[]> => {
    const score = scores[order[looked.push(image) - 1]!];
    return score === undefined ? [] : [{ box: { x: 9, y: 9, width: 40, height: 40 }, score, rollDegrees: 0 }];
  };
  const findTextTurn = async () => told;
  const side = await findUpright(imaging, findFaces, card, frameQuad(card), undefined, findTextTurn);
  return { side, looked };
};

describe("findUpright", () => {
  it("ends with a sure face, and takes the surer of an axis", async () => {
    const { side, looked } = await find({ 0: 0.7, 2: 0.9 }, 1);
    expect(side).toMatchObject({ turns: 2, turnKnownBy: "face" });
    expect(looked).toHaveLength(2);
  });

  it("lets the text tell where no face is sure, and looks at no turn twice", async () => {
    const { side, looked } = await find({ 1: 0.5 }, 3);
    expect(side).toMatchObject({ turns: 3, turnKnownBy: "text", faces: [] });
    expect([side.image.width, side.image.height]).toEqual([200, 320]);
    expect(looked).toHaveLength(4);
    expect(side.image).toBe(looked[3]);
  });

  it("takes an unsure face where the text does not tell, else the picture as it is", async () => {
    expect((await find({ 1: 0.5 }, undefined)).side).toMatchObject({ turns: 1, turnKnownBy: "face" });
    expect((await find({}, undefined)).side).toMatchObject({ turns: 0, turnKnownBy: "nothing" });
  });
});

import { describe, expect, it } from "vitest";
import type { Quad } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { mapsOf, rectangle } from "#support/document/card-maps";
import { intersectionOverUnion, scaleCorners } from "./geometry.ts";
import { cardScore } from "./located-card.ts";
import { makeLookAt, scoreOfAgreement } from "./look.ts";

/** A plain image: its edges move no corner. Its maps have a cell for 10 pixels. */
const image = { width: 640, height: 400, data: new Uint8Array(640 * 400 * 3).fill(128) };
const imaging = makeImaging({ limits: defaultImagingLimits });

describe("a look at an image", () => {
  const lookAt = (...cards: readonly Quad[]) => makeLookAt(imaging, async () => mapsOf(64, 40, cards))(image);

  it("shows the card at the network's border", async () => {
    const truth = rectangle(8, 6, 52, 33);
    const { card } = await lookAt(truth);
    expect(card && intersectionOverUnion(card.quad, scaleCorners(truth, 10, 10))).toBeGreaterThan(0.97);
    expect(card?.score).toBeGreaterThan(cardScore.trusted);
  });

  it.each([
    ["left", rectangle(-4, 6, 40, 33), rectangle(1, 6, 45, 33)],
    ["top", rectangle(8, -3, 52, 24), rectangle(8, 1, 52, 28)],
    ["right", rectangle(24, 6, 68, 33), rectangle(18, 6, 62, 33)],
    ["bottom", rectangle(8, 18, 52, 45), rectangle(8, 11, 52, 38)],
  ])("shows no card that the frame cuts on its side: %s", async (_side, cut, whole) => {
    expect((await lookAt(cut)).card).toBeUndefined();
    expect((await lookAt(whole)).card).toBeDefined();
  });

  it("shows no card where border and surface disagree", async () => {
    const maps = mapsOf(64, 40, [rectangle(8, 6, 52, 33)]);
    const { border } = mapsOf(64, 40, [rectangle(10, 8, 50, 31)]);
    const { card, regions } = await makeLookAt(imaging, async () => ({ ...maps, border }))(image);
    expect([card, regions.length]).toEqual([undefined, 1]);
  });

  it("shows no card without a region", async () => {
    expect(await lookAt()).toMatchObject({ card: undefined, regions: [] });
  });
});

it.each([
  [0.9299, "", ""],
  [0.9301, "usable", ""],
  [0.9499, "usable", ""],
  [0.9501, "usable", "trusted"],
])("an agreement of %d is %s %s", (agreement, usable, trusted) => {
  const score = scoreOfAgreement(agreement);
  expect([score >= cardScore.usable, score >= cardScore.trusted]).toEqual([usable !== "", trusted !== ""]);
});

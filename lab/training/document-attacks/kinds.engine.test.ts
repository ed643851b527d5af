import { describe, expect, it } from "vitest";
import { judgePixelCues } from "../../../src/judging/document/decision/attacks/pixel-cues.ts";
import { measureAttack } from "../../../src/judging/document/reading/traces/measurement.ts";
import { makeImaging } from "../../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../../src/machine/imaging/limits.ts";
import { painted } from "../../../src/sandbox/specimen/canvas.ts";
import { readOutlines } from "../../../src/sandbox/specimen/lettering.ts";
import type { Capture } from "./capture.ts";
import { drawDocument, drawImage, type ImageKind } from "./kinds.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });

/** A drawn head before a wall. */
const head = (red: number) =>
  painted(280, 360, (x, y) => {
    const isHead = Math.hypot((x - 140) / 80, (y - 170) / 110) < 1;
    return isHead ? [red, 160 + 20 * Math.sin(y / 30), 130] : [205, 212, 220 - y / 12];
  });

const drawn = drawDocument({ portrait: head(205), other: head(150), outlines: readOutlines(), document: 5 });

const signalsOf = ({ image, quad }: Capture) => {
  const upright = imaging.rectify(image, quad, 1250, 880);
  return judgePixelCues(
    measureAttack(imaging, {
      native: image,
      isWhole: true,
      area: quad,
      isLocated: true,
      upright,
      mrzShare: 0.9,
      lines: [],
      portrait: { x: 130, y: 220, width: 200, height: 260 },
    }),
    "front",
  );
};

const foundIn = (kind: ImageKind, seed: number) =>
  signalsOf(drawImage(kind, drawn, seed)).flatMap(({ name, level }) => (level === "none" ? [] : [name]));

describe("a drawn image", () => {
  it("is the same for the same seed, and different for another seed", () => {
    const [one, again, other] = [3, 3, 8].map((seed) => drawImage("rewritten-value", drawn, seed).image);
    expect(Buffer.compare(one!.data, again!.data)).toBe(0);
    expect(Buffer.compare(one!.data, other!.data)).not.toBe(0);
  });

  it("of a genuine page shows no trace", () => {
    expect(foundIn("genuine", 6)).toEqual([]);
  });

  it("of a grey copy has no colour", () => {
    expect(foundIn("grey-copy", 4)).toEqual(expect.arrayContaining(["grey-copy", "grey-portrait"]));
  });

  it("of a screen has a fine pattern and a rim", () => {
    expect(foundIn("screen", 7)).toEqual(["fine-pattern", "rim-around-card"]);
  });
});

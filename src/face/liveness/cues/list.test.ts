import { describe, expect, it } from "vitest";
import type { FileFacts } from "#imaging/image";
import type { LivenessCues, MeasuredPicture } from "../../measurement.ts";
import { type CueName, cueNames } from "./cue.ts";
import { cues, isDecisive, weighCues } from "./list.ts";

const light = { blackLevel: 25, blownOut: 0, faceChroma: 40, focusRatio: 2, highlights: 1.4 };
const camera: FileFacts = { format: "jpeg", bytes: 90_000, width: 720, height: 576, hasExif: true };
const picture = (own: Partial<LivenessCues>, file: Partial<FileFacts> = {}): MeasuredPicture => ({
  kind: "measured",
  file: { ...camera, ...file },
  width: 720,
  height: 576,
  scale: 1,
  faceWidths: [1],
  cues: { light, ...own },
  models: {},
});
const weightOf = (name: CueName, of: MeasuredPicture): number | undefined =>
  weighCues(of).find(({ cue }) => cue === name)?.weight;

describe("the cues", () => {
  it("have a name, a physical reason and a judge each, but for the one that needs a second picture", () => {
    expect(cues.map(({ name }) => name).toSorted()).toEqual(
      cueNames.filter((name) => name !== "resubmitted-reference").toSorted(),
    );
    for (const { reason } of cues) expect(reason.length).toBeGreaterThan(60);
    expect(isDecisive("resubmitted-reference")).toBe(true);
    expect(isDecisive("lifted-black")).toBe(false);
  });

  it("are missing where nothing was measured, and say little of a camera's own picture", () => {
    const evidence = weighCues(picture({}));
    expect(evidence.map(({ cue }) => cue).toSorted()).toEqual(
      ["editing-software", "even-focus", "flat-highlights", "lifted-black", "poor-colour"].toSorted(),
    );
    for (const { weight } of evidence) expect(Math.abs(weight)).toBeLessThan(0.3);
  });

  it.each<[CueName, MeasuredPicture, MeasuredPicture]>([
    [
      "frame-around-face",
      picture({ surround: { closedFrame: 0.97, openFrame: 0.97, corners: [] } }),
      picture({ surround: { closedFrame: 0.4, openFrame: 0.4, corners: [] } }),
    ],
    [
      "open-frame-around-face",
      picture({ surround: { closedFrame: 0, openFrame: 0.98, corners: [] } }),
      picture({ surround: { closedFrame: 0, openFrame: 0.5, corners: [] } }),
    ],
    [
      "rim-around-frame",
      picture({ surround: { closedFrame: 0.7, openFrame: 0.7, corners: [], rim: 0.9 } }),
      picture({ surround: { closedFrame: 0.7, openFrame: 0.7, corners: [], rim: 0.2 } }),
    ],
    [
      "moire",
      picture({ moire: { peakDecibels: 25, periodPx: 3 } }),
      picture({ moire: { peakDecibels: 5, periodPx: 3 } }),
    ],
    ["network", picture({ network: { live: 0.05 } }), picture({ network: { live: 0.99 } })],
    [
      "lifted-black",
      picture({ light: { ...light, blackLevel: 75 } }),
      picture({ light: { ...light, blackLevel: 5 } }),
    ],
    [
      "poor-colour",
      picture({ light: { ...light, faceChroma: 8 } }),
      picture({ light: { ...light, faceChroma: 60 } }),
    ],
    [
      "flat-highlights",
      picture({ light: { ...light, highlights: 1.1 } }),
      picture({ light: { ...light, highlights: 1.8 } }),
    ],
    [
      "even-focus",
      picture({ light: { ...light, focusRatio: 0.7 } }),
      picture({ light: { ...light, focusRatio: 3 } }),
    ],
    [
      "compressed-twice",
      picture({ compression: { doubleQuantisation: 1 } }),
      picture({ compression: { doubleQuantisation: 0.1 } }),
    ],
    [
      "editing-software",
      picture({}, { exifSoftware: "Adobe Photoshop 27" }),
      picture({}, { exifSoftware: "iOS 26.1" }),
    ],
    [
      "screen-sized-file",
      picture({}, { format: "png", width: 1170, height: 2532 }),
      picture({}, { format: "png", width: 1171, height: 2532 }),
    ],
  ])("%s weighs more on a picture with its trace than on one without", (name, with_, without) => {
    expect(weightOf(name, with_)).toBeGreaterThan(0);
    expect(weightOf(name, without)).toBeLessThanOrEqual(0);
  });
});

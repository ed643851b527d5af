import { describe, expect, it } from "vitest";
import type { FileFacts } from "#machine/imaging/image";
import type { LivenessCues, MeasuredImage } from "../../measurement.ts";
import { type CueName, cueNames } from "./cue.ts";
import { cues, isDecisive, weighCues } from "./list.ts";

const light = { blackLevel: 25, blownOut: 0, faceChroma: 40, focusRatio: 2, highlights: 1.4 };
const camera: FileFacts = { format: "jpeg", bytes: 90_000, width: 720, height: 576, hasExif: true };
const image = (own: Partial<LivenessCues>, file: Partial<FileFacts> = {}): MeasuredImage => ({
  kind: "measured",
  file: { ...camera, ...file },
  width: 720,
  height: 576,
  scale: 1,
  faceWidths: [1],
  cues: { light, ...own },
  models: {},
});
const weightOf = (name: CueName, of: MeasuredImage): number | undefined =>
  weighCues(of).find(({ cue }) => cue === name)?.weight;

describe("the cues", () => {
  it("have a name, a physical reason and a judge each, except the cue that needs a second image", () => {
    expect(cues.map(({ name }) => name).toSorted()).toEqual(
      cueNames.filter((name) => name !== "resubmitted-reference").toSorted(),
    );
    for (const { reason } of cues) expect(reason.length).toBeGreaterThan(60);
    expect(isDecisive("resubmitted-reference")).toBe(true);
    expect(isDecisive("lifted-black")).toBe(false);
  });

  it("are missing without a measurement, and have small weights for a camera image", () => {
    const evidence = weighCues(image({}));
    expect(evidence.map(({ cue }) => cue).toSorted()).toEqual(
      ["editing-software", "even-focus", "flat-highlights", "lifted-black", "poor-colour"].toSorted(),
    );
    for (const { weight } of evidence) expect(Math.abs(weight)).toBeLessThan(0.3);
  });

  it.each<[CueName, MeasuredImage, MeasuredImage]>([
    [
      "frame-around-face",
      image({ surround: { closedFrame: 0.97, openFrame: 0.97, corners: [] } }),
      image({ surround: { closedFrame: 0.4, openFrame: 0.4, corners: [] } }),
    ],
    [
      "open-frame-around-face",
      image({ surround: { closedFrame: 0, openFrame: 0.98, corners: [] } }),
      image({ surround: { closedFrame: 0, openFrame: 0.5, corners: [] } }),
    ],
    [
      "rim-around-frame",
      image({ surround: { closedFrame: 0.7, openFrame: 0.7, corners: [], rim: 0.9 } }),
      image({ surround: { closedFrame: 0.7, openFrame: 0.7, corners: [], rim: 0.2 } }),
    ],
    [
      "moire",
      image({ moire: { peakDecibels: 25, periodPx: 3 } }),
      image({ moire: { peakDecibels: 5, periodPx: 3 } }),
    ],
    ["network", image({ network: { live: 0.05 } }), image({ network: { live: 0.99 } })],
    [
      "lifted-black",
      image({ light: { ...light, blackLevel: 75 } }),
      image({ light: { ...light, blackLevel: 5 } }),
    ],
    [
      "poor-colour",
      image({ light: { ...light, faceChroma: 8 } }),
      image({ light: { ...light, faceChroma: 60 } }),
    ],
    [
      "flat-highlights",
      image({ light: { ...light, highlights: 1.1 } }),
      image({ light: { ...light, highlights: 1.8 } }),
    ],
    [
      "even-focus",
      image({ light: { ...light, focusRatio: 0.7 } }),
      image({ light: { ...light, focusRatio: 3 } }),
    ],
    [
      "compressed-twice",
      image({ compression: { doubleQuantisation: 1 } }),
      image({ compression: { doubleQuantisation: 0.1 } }),
    ],
    [
      "editing-software",
      image({}, { exifSoftware: "Adobe Photoshop 27" }),
      image({}, { exifSoftware: "iOS 26.1" }),
    ],
    [
      "screen-sized-file",
      image({}, { format: "png", width: 1170, height: 2532 }),
      image({}, { format: "png", width: 1171, height: 2532 }),
    ],
  ])("%s weighs more on an image with its trace than on an image without", (name, with_, without) => {
    expect(weightOf(name, with_)).toBeGreaterThan(0);
    expect(weightOf(name, without)).toBeLessThanOrEqual(0);
  });
});

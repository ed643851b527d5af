import type { TurnDirection } from "#contract/capture";
import type { Image } from "#imaging/image";
import type { FaceScan } from "#specimen/face-scan";
import { seededRandom } from "#statistics/random";
import { stepFrames } from "../challenge.ts";
import { type DrawnCapture, type DrawnFrames, drawCapture } from "./drawn-captures.ts";

/** What is done to the frames of a genuine capture, or what stands in their place. */
export const alterations = [
  "genuine",
  "quick",
  "slow-start",
  "shuffled-inside",
  "shuffled",
  "cut",
  "two-stills",
  "spliced",
  "interleaved",
  "reversed",
  "swapped",
  "mirrored",
  "mirrored-turns",
  "frozen",
  "frozen-inside",
  "jump-fast",
  "other-best",
  "best-of-other-take",
  "best-turned",
] as const;
export type Alteration = (typeof alterations)[number];

export type AlteredCapture = {
  readonly scan: FaceScan;
  /** Another person, for the captures that show two. */
  readonly other: FaceScan;
  readonly rotations: readonly TurnDirection[];
  readonly seed: number;
};

const degrees = 18;

/** Draws a capture and alters it. The same arguments give the same frames. */
export const drawAltered = (
  kind: Alteration,
  capture: AlteredCapture,
  draw: (capture: DrawnCapture) => DrawnFrames = drawCapture,
): DrawnFrames => {
  const { scan, other, rotations, seed } = capture;
  const random = seededRandom(seed + 77);
  const take = (more: Partial<DrawnCapture> = {}): DrawnFrames =>
    draw({ scan, kind: "head", rotations, degrees, seed, ...more });
  const ordered = (order: (step: number) => readonly number[]): DrawnFrames => {
    const { best, steps } = take();
    return { best, steps: steps.map((frames, step) => order(step).map((at) => frames[at]!)) };
  };
  switch (kind) {
    case "genuine":
      return take();
    // The turn takes the last two gaps: a person who waits and turns by 9 degrees in 120 ms.
    case "quick":
      return take({ shares: [0, 0, 0, 0, 0.5, 1] });
    case "slow-start":
      return take({ shares: [0, 0, 0.1, 0.35, 0.7, 1] });
    case "shuffled-inside":
      return ordered(() => [0, ...shuffle([1, 2, 3, 4], random), 5]);
    case "shuffled":
      return ordered(() => shuffle([0, 1, 2, 3, 4, 5], random));
    // Ten frames of a turn without the four in the middle.
    case "cut":
      return take({ shares: [0, 1 / 9, 2 / 9, 7 / 9, 8 / 9, 1] });
    case "two-stills":
      return take({ shares: [0, 0, 0, 1, 1, 1] });
    case "spliced":
      return join(take(), take({ seed: seed + 500_000 }), (at) => at < stepFrames / 2);
    case "interleaved":
      return join(take(), take({ seed: seed + 500_000 }), (at) => at % 2 === 0);
    case "reversed":
      return ordered(() => [5, 4, 3, 2, 1, 0]);
    case "swapped": {
      const { best, steps } = take();
      return { best, steps: [steps[1]!, steps[0]!] };
    }
    case "mirrored":
      return mapFrames(take(), mirror, mirror);
    case "mirrored-turns":
      return mapFrames(take(), (image) => image, mirror);
    case "frozen":
      return ordered(() => [0, 0, 0, 0, 0, 0]);
    case "frozen-inside":
      return ordered(() => [0, 1, 1, 1, 1, 5]);
    // 45 degrees in six frames.
    case "jump-fast":
      return take({ degrees: 45 });
    case "other-best":
      return { ...take(), best: take({ scan: other, seed: seed + 500_000 }).best };
    case "best-of-other-take":
      return { ...take(), best: take({ seed: seed + 500_000 }).best };
    case "best-turned": {
      const last = take({ rotations: [rotations[0] === "left" ? "right" : "left"], degrees: 25 }).steps[0]!;
      return { ...take(), best: last.at(-1)! };
    }
  }
};

const join = (one: DrawnFrames, two: DrawnFrames, isOfOne: (at: number) => boolean): DrawnFrames => ({
  best: one.best,
  steps: one.steps.map((frames, step) =>
    frames.map((frame, at) => (isOfOne(at) ? frame : two.steps[step]![at]!)),
  ),
});

const mapFrames = (
  { best, steps }: DrawnFrames,
  ofBest: (image: Image) => Image,
  ofStep: (image: Image) => Image,
): DrawnFrames => ({ best: ofBest(best), steps: steps.map((frames) => frames.map(ofStep)) });

const mirror = ({ width, height, data }: Image): Image => {
  const mirrored = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [from, to] = [3 * (y * width + x), 3 * (y * width + width - 1 - x)];
      mirrored[to] = data[from]!;
      mirrored[to + 1] = data[from + 1]!;
      mirrored[to + 2] = data[from + 2]!;
    }
  }
  return { width, height, data: mirrored };
};

/** Another order, never the same. */
const shuffle = (places: readonly number[], random: () => number): readonly number[] => {
  for (;;) {
    const order = places
      .map((place) => [random(), place] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, place]) => place);
    if (order.some((place, i) => place !== places[i])) return order;
  }
};

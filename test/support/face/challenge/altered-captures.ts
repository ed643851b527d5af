import type { TurnDirection } from "#contract/capture";
import { seededRandom } from "#contract/statistics/random";
import { stepFrames } from "#judging/face/challenge/challenge";
import type { Image } from "#machine/imaging/image";
import type { FaceScan } from "#sandbox/specimen/face-scan";
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

/** What an alteration is made from. */
type Material = {
  readonly take: (more?: Partial<DrawnCapture>) => DrawnFrames;
  /** The frames of each step in another order. */
  readonly ordered: (order: () => readonly number[]) => DrawnFrames;
  readonly random: () => number;
  readonly capture: AlteredCapture;
  /** The seed of a second take of the same person. */
  readonly otherSeed: number;
};

const makers: Readonly<Record<Alteration, (material: Material) => DrawnFrames>> = {
  genuine: ({ take }) => take(),
  // The turn takes the last two gaps: a person who waits and turns by 9 degrees in 120 ms.
  quick: ({ take }) => take({ shares: [0, 0, 0, 0, 0.5, 1] }),
  "slow-start": ({ take }) => take({ shares: [0, 0, 0.1, 0.35, 0.7, 1] }),
  "shuffled-inside": ({ ordered, random }) => ordered(() => [0, ...shuffle([1, 2, 3, 4], random), 5]),
  shuffled: ({ ordered, random }) => ordered(() => shuffle([0, 1, 2, 3, 4, 5], random)),
  // Ten frames of a turn without the four in the middle.
  cut: ({ take }) => take({ shares: [0, 1 / 9, 2 / 9, 7 / 9, 8 / 9, 1] }),
  "two-stills": ({ take }) => take({ shares: [0, 0, 0, 1, 1, 1] }),
  spliced: ({ take, otherSeed }) => join(take(), take({ seed: otherSeed }), (at) => at < stepFrames / 2),
  interleaved: ({ take, otherSeed }) => join(take(), take({ seed: otherSeed }), (at) => at % 2 === 0),
  reversed: ({ ordered }) => ordered(() => [5, 4, 3, 2, 1, 0]),
  swapped: ({ take }) => {
    const { best, steps } = take();
    return { best, steps: [steps[1]!, steps[0]!] };
  },
  mirrored: ({ take }) => mapFrames(take(), mirror, mirror),
  "mirrored-turns": ({ take }) => mapFrames(take(), (image) => image, mirror),
  frozen: ({ ordered }) => ordered(() => [0, 0, 0, 0, 0, 0]),
  "frozen-inside": ({ ordered }) => ordered(() => [0, 1, 1, 1, 1, 5]),
  // 45 degrees in six frames.
  "jump-fast": ({ take }) => take({ degrees: 45 }),
  "other-best": ({ take, capture, otherSeed }) => ({
    ...take(),
    best: take({ scan: capture.other, seed: otherSeed }).best,
  }),
  "best-of-other-take": ({ take, otherSeed }) => ({ ...take(), best: take({ seed: otherSeed }).best }),
  "best-turned": ({ take, capture: { rotations } }) => {
    const last = take({ rotations: [rotations[0] === "left" ? "right" : "left"], degrees: 25 }).steps[0]!;
    return { ...take(), best: last.at(-1)! };
  },
};

/** Draws a capture and alters it. The same arguments give the same frames. */
export const drawAltered = (
  kind: Alteration,
  capture: AlteredCapture,
  draw: (capture: DrawnCapture) => DrawnFrames = drawCapture,
): DrawnFrames => {
  const { scan, rotations, seed } = capture;
  const take = (more: Partial<DrawnCapture> = {}): DrawnFrames =>
    draw({ scan, kind: "head", rotations, degrees, seed, ...more });
  const ordered = (order: () => readonly number[]): DrawnFrames => {
    const { best, steps } = take();
    return { best, steps: steps.map((frames) => order().map((at) => frames[at]!)) };
  };
  const random = seededRandom(seed + 77);
  return makers[kind]({ take, ordered, random, capture, otherSeed: seed + 500_000 });
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

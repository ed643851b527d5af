import type { LensShape } from "./lens.ts";

export type Colour = readonly [red: number, green: number, blue: number];

/** A pair of glasses. Lengths are in halves of the distance between the eyes (about 31 mm), shares 0…1. */
export type EyewearStyle = {
  readonly lens: LensShape;
  /** Middle of the lens: sideways from the bridge, below the line of the eyes. */
  readonly centerX: number;
  readonly centerY: number;
  /** Height in front of the eyes, and its decrease outwards (wrap). */
  readonly depth: number;
  readonly wrap: number;
  readonly rim: {
    readonly kind: "full" | "half" | "none";
    readonly thickness: number;
    readonly colour: Colour;
    /** Light on the metal or plastic. */
    readonly gloss: number;
    /** Strength of the spots of tortoiseshell. */
    readonly spots: number;
  };
  readonly bridgeY: number;
  readonly hasTemples: boolean;
  /** Transmission at the top and at the bottom of the lens, by channel; clear glass has about .95. */
  readonly passes: { readonly top: Colour; readonly foot: Colour };
  /** Reflection of the scene on the lens: colour and strength. */
  readonly mirrored: { readonly colour: Colour; readonly strength: number };
  /** A bright streak across the lens: position, direction, width, strength. */
  readonly glare: {
    readonly at: number;
    readonly slope: number;
    readonly width: number;
    readonly strength: number;
  };
  readonly shadow: number;
  /** Slip down the nose and tilt, as with real glasses. */
  readonly slip: number;
  readonly tiltRadians: number;
};

type Random = () => number;

const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

const pick = <T>(random: Random, values: readonly T[]): T => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error("Nothing to pick from");
  return value;
};

const grey = (value: number): Colour => [value, value, value];

const metals: readonly Colour[] = [
  [205, 170, 100],
  [190, 190, 195],
  [120, 120, 125],
  [60, 60, 65],
  [150, 110, 75],
  [25, 25, 28],
];
const plastics: readonly Colour[] = [
  [18, 18, 20],
  [35, 28, 25],
  [70, 45, 28],
  [105, 65, 35],
  [120, 25, 30],
  [30, 45, 90],
  [190, 180, 165],
  [215, 215, 215],
  [60, 80, 60],
];
const tints: readonly Colour[] = [
  [0.9, 0.9, 0.9],
  [1, 0.85, 0.65],
  [0.7, 0.8, 1],
  [0.75, 0.95, 0.8],
  [1, 0.75, 0.8],
];

/** Squareness and height over width. */
const outlines = {
  round: [2, 0.98],
  oval: [2.2, 0.72],
  square: [4.5, 0.7],
  narrow: [3.5, 0.5],
  aviator: [2.6, 0.85],
  cat: [2.8, 0.68],
  large: [3.2, 0.86],
} as const;
const outlineKinds = ["round", "oval", "square", "square", "narrow", "aviator", "cat", "large"] as const;

const outline = (random: Random): LensShape => {
  const halfWidth = between(random, 0.66, 0.9);
  const kind = pick(random, outlineKinds);
  const [squareness, aspect] = outlines[kind];
  return {
    halfWidth: kind === "round" ? halfWidth * 0.92 : halfWidth,
    halfHeight: halfWidth * aspect * between(random, 0.9, 1.1),
    squareness: squareness * between(random, 0.9, 1.2),
    taper: kind === "aviator" ? between(random, 0.15, 0.4) : between(random, 0, 0.15),
    sweep: kind === "cat" ? between(random, 0.12, 0.3) : between(random, -0.03, 0.06),
  };
};

const rim = (random: Random): EyewearStyle["rim"] => {
  const isMetal = random() < 0.55;
  const kind = pick(random, ["full", "full", "full", "half", "none"] as const);
  return {
    kind,
    thickness: isMetal || kind === "none" ? between(random, 0.025, 0.06) : between(random, 0.06, 0.22),
    colour: pick(random, isMetal ? metals : plastics),
    gloss: isMetal ? between(random, 0.2, 0.9) : between(random, 0, 0.4),
    spots: !isMetal && random() < 0.3 ? between(random, 0.3, 0.8) : 0,
  };
};

const clear = (random: Random): EyewearStyle["passes"] => {
  const colour = grey(between(random, 0.88, 1.02));
  return { top: colour, foot: colour };
};

const dark = (random: Random): EyewearStyle["passes"] => {
  const tint = pick(random, tints);
  const top = between(random, 0.02, 0.35);
  const foot = random() < 0.3 ? Math.min(1, top + between(random, 0.1, 0.5)) : top;
  const of = (share: number): Colour => [tint[0] * share, tint[1] * share, tint[2] * share];
  return { top: of(top), foot: of(foot) };
};

/** Invents a pair of glasses, clear or dark. */
export const inventStyle = (random: Random, kind: "clear" | "dark"): EyewearStyle => {
  const lens = outline(random);
  const isDark = kind === "dark";
  return {
    lens: isDark ? { ...lens, halfHeight: Math.max(lens.halfHeight, 0.5) } : lens,
    centerX: lens.halfWidth + between(random, 0.24, 0.34),
    centerY: between(random, 0.02, 0.2),
    depth: between(random, 0.25, 0.5),
    wrap: between(random, 0, isDark ? 0.14 : 0.07),
    rim: rim(random),
    bridgeY: between(random, -0.3, 0.02),
    hasTemples: random() < 0.92,
    passes: isDark ? dark(random) : clear(random),
    mirrored: {
      colour: [between(random, 100, 255), between(random, 100, 255), between(random, 100, 255)],
      strength: isDark && random() < 0.25 ? between(random, 0.1, 0.5) : between(random, 0, 0.06),
    },
    glare: {
      at: between(random, -1, 1),
      slope: between(random, -1.2, 1.2),
      width: between(random, 0.04, 0.35),
      strength: random() < 0.45 ? between(random, 0.05, 0.8) ** 1.5 : 0,
    },
    shadow: between(random, 0, 0.35),
    slip: random() < 0.15 ? between(random, 0.1, 0.35) : 0,
    tiltRadians: between(random, -0.04, 0.04),
  };
};

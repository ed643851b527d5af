import type { EyewearOdds } from "./eyewear-probe.ts";

/** What is worn before the eyes; `dark` are lenses that hide them or nearly so. */
export type Eyewear = "none" | "clear" | "dark";

export type EyewearPolicy = {
  /** Luminance of the eyes over that of the skin, under which lenses are dark whatever the probe of darkness says. */
  readonly darkLensEyeToSkinMax: number;
  /** Natural logarithms of odds: up to the first nothing is worn, from the second something is; between it is open. */
  readonly eyewearNoneOddsMax: number;
  readonly eyewearWornOddsMin: number;
  /** From these odds on lenses are dark: mirrored ones are, though they are not darker than skin. */
  readonly darkLensOddsMin: number;
};

/**
 * Judges by two signs that fail apart: what the descriptor shows, and how dark the eyes are. Undefined where it is open
 * whether something is worn, where the two contradict each other (the eyes lie in shadow), and for what is no number.
 */
export const judgeEyewear = (
  { worn, dark }: EyewearOdds,
  eyeToSkin: number,
  policy: EyewearPolicy,
): Eyewear | undefined => {
  if (![worn, dark, eyeToSkin].every(Number.isFinite)) {
    return undefined;
  }
  const isDark = eyeToSkin < policy.darkLensEyeToSkinMax;
  if (worn <= policy.eyewearNoneOddsMax) {
    return isDark ? undefined : "none";
  }
  if (isDark) {
    return "dark";
  }
  if (worn < policy.eyewearWornOddsMin) {
    return undefined;
  }
  return dark >= policy.darkLensOddsMin ? "dark" : "clear";
};

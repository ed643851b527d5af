import type { EyewearOdds } from "./eyewear-probe.ts";

/** The eyewear of a face; `dark` are lenses that hide the eyes or nearly so. */
export type Eyewear = "none" | "clear" | "dark";

export type EyewearPolicy = {
  /** Luminance of the eyes over that of the skin. Below it lenses are dark, even against the probe. */
  readonly darkLensEyeToSkinMax: number;
  /**
   * Natural logarithms of odds: up to the first there is no eyewear, from the second on there is; between
   * them it is open.
   */
  readonly eyewearNoneOddsMax: number;
  readonly eyewearWornOddsMin: number;
  /** Lenses with these odds or more are dark: mirrored lenses are, although they are not darker than skin. */
  readonly darkLensOddsMin: number;
};

/**
 * Judges by two independent signs: the descriptor, and the darkness of the eyes. Returns undefined if the
 * probe is not decisive, if the two signs contradict each other (eyes in shadow), and for a value that is not
 * a number.
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

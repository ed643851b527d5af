import type { Rate } from "#contract/statistics/rate";

/** A share as a percentage; "-" if it is not a number. */
export const percent = (share: number, digits = 1): string =>
  Number.isNaN(share) ? "-" : `${(100 * share).toFixed(digits)} %`;

/** The bounds of a rate, as a text. */
export const boundsText = ({ low, high }: Pick<Rate, "low" | "high">, digits = 1): string =>
  `${percent(low, digits)} to ${percent(high, digits)}`;

/** A rate of verdicts with its count and its bounds. */
export const verdictRate = (rate: Rate): string =>
  rate.n === 0 ? "no verdicts" : `${percent(rate.rate)} of ${rate.n} (95 %: ${boundsText(rate)})`;

/** An area under a curve; `-` if one kind of image was not judged. */
export const areaText = (area: number, digits = 3): string =>
  Number.isNaN(area) ? "-" : area.toFixed(digits);

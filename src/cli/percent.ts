import type { Rate } from "#statistics/rate";

/** A share as a percentage; "-" for what is no number. */
export const percent = (share: number, digits = 1): string =>
  Number.isNaN(share) ? "-" : `${(100 * share).toFixed(digits)} %`;

/** The bounds of a rate, as a text. */
export const boundsText = ({ low, high }: Pick<Rate, "low" | "high">, digits = 1): string =>
  `${percent(low, digits)} to ${percent(high, digits)}`;

/** A rate of verdicts with what it was counted on and its bounds. */
export const verdictRate = (rate: Rate): string =>
  rate.n === 0 ? "no verdicts" : `${percent(rate.rate)} of ${rate.n} (95 %: ${boundsText(rate)})`;

/** An area under a curve; `-` where no picture of one kind was judged. */
export const areaText = (area: number, digits = 3): string =>
  Number.isNaN(area) ? "-" : area.toFixed(digits);

import { escapeHtml } from "#machine/http/pages/shell";
import { type DetPoint, probit } from "./det.ts";

/** Charts as SVG, on a canvas of 720 × 420 with margins for the axes. */
const canvas = { width: 720, height: 420, left: 64, right: 16, top: 14, bottom: 46 };
const plotWidth = canvas.width - canvas.left - canvas.right;
const plotHeight = canvas.height - canvas.top - canvas.bottom;

type Tick = { readonly at: number; readonly label: string };
type Axes = {
  /** Ticks in shares of the plot, 0 left or bottom … 1 right or top. */
  readonly across: readonly Tick[];
  readonly up: readonly Tick[];
  readonly acrossTitle: string;
  readonly upTitle: string;
};

const px = (share: number): string => (canvas.left + share * plotWidth).toFixed(1);
const py = (share: number): string => (canvas.top + (1 - share) * plotHeight).toFixed(1);

const frame = ({ across, up, acrossTitle, upTitle }: Axes, title: string, marks: string): string => {
  const bottom = canvas.top + plotHeight;
  const grid = [
    ...across.map(
      ({ at, label }) =>
        `<path d="M${px(at)} ${canvas.top}V${bottom}"/><text x="${px(at)}" y="${bottom + 18}" text-anchor="middle" stroke="none">${escapeHtml(label)}</text>`,
    ),
    ...up.map(
      ({ at, label }) =>
        `<path d="M${canvas.left} ${py(at)}H${canvas.width - canvas.right}"/><text x="${canvas.left - 8}" y="${Number(py(at)) + 4}" text-anchor="end" stroke="none">${escapeHtml(label)}</text>`,
    ),
  ].join("\n");
  const middle = canvas.top + plotHeight / 2;
  return `<figure>
<svg viewBox="0 0 ${canvas.width} ${canvas.height}" role="img" aria-label="${escapeHtml(title)}">
<g stroke="var(--rule)" fill="none">
${grid}
</g>
${marks}
<text x="${canvas.left + plotWidth / 2}" y="${canvas.height - 6}" text-anchor="middle">${escapeHtml(acrossTitle)}</text>
<text x="14" y="${middle}" text-anchor="middle" transform="rotate(-90 14 ${middle})">${escapeHtml(upTitle)}</text>
</svg>
<figcaption>${escapeHtml(title)}</figcaption>
</figure>`;
};

/**
 * Error rates named on the axes, in per cent. Both axes have the scale of the normal deviate (ISO/IEC
 * 19795-1).
 */
const namedRates = [0.001, 0.01, 0.1, 1, 5, 20, 50];
const rateLow = 0.000_005;
const rateHigh = 0.6;

const placeOfRate = (rate: number): number => {
  const [low, high] = [probit(rateLow), probit(rateHigh)];
  const bounded = Math.min(rateHigh, Math.max(rateLow, rate));
  return (probit(bounded) - low) / (high - low);
};

const rateTicks: readonly Tick[] = namedRates.map((percent) => ({
  at: placeOfRate(percent / 100),
  label: `${percent} %`,
}));

/** FNMR over FMR. Points with a count of zero are left out: the pairs cannot show them. */
export const detChart = (points: readonly DetPoint[], operating: DetPoint): string => {
  const shown = points.filter(({ fmr, fnmr }) => fmr > 0 && fnmr > 0 && fmr < rateHigh && fnmr < rateHigh);
  const line = shown
    .map(({ fmr, fnmr }, i) => `${i === 0 ? "M" : "L"}${px(placeOfRate(fmr))} ${py(placeOfRate(fnmr))}`)
    .join("");
  const [x, y] = [px(placeOfRate(operating.fmr)), py(placeOfRate(operating.fnmr))];
  return frame(
    { across: rateTicks, up: rateTicks, acrossTitle: "FMR", upTitle: "FNMR" },
    "Detection error trade-off; the dot is the product's threshold",
    `<path d="${line}" fill="none" stroke="var(--one)" stroke-width="2"/><circle cx="${x}" cy="${y}" r="5" fill="var(--mark)"/>`,
  );
};

export type Distribution = {
  readonly name: string;
  /** Share of the values in each of the bins, from `low` to `high`. */
  readonly shares: readonly number[];
};

type Scale = { readonly low: number; readonly high: number; readonly title: string; readonly mark?: number };

/** Two distributions over one axis, each scaled to its highest bin, and a line at `mark`. */
export const histogramChart = (
  [first, second]: readonly [Distribution, Distribution],
  { low, high, title, mark }: Scale,
): string => {
  const tallest = Math.max(...first.shares, ...second.shares);
  const steps = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => i / 8);
  const line = mark === undefined ? "" : `M${px((mark - low) / (high - low))} ${py(0)}V${py(1)}`;
  return frame(
    {
      across: steps.map((at) => ({ at, label: (low + at * (high - low)).toFixed(1) })),
      up: [0, 0.5, 1].map((at) => ({ at, label: `${(100 * tallest * at).toFixed(1)} %` })),
      acrossTitle: title,
      upTitle: "share",
    },
    `${first.name} (blue) and ${second.name} (orange)${mark === undefined ? "" : "; the line is the product's threshold"}`,
    `${area(first.shares, tallest, "--one")}${area(second.shares, tallest, "--two")}<path d="${line}" stroke="var(--mark)" stroke-width="2"/>`,
  );
};

const area = (shares: readonly number[], tallest: number, colour: string): string => {
  const steps = shares.map(
    (share, i) => `V${py(tallest === 0 ? 0 : share / tallest)}H${px((i + 1) / shares.length)}`,
  );
  return `<path d="M${px(0)} ${py(0)}${steps.join("")}V${py(0)}Z" fill="var(${colour})" fill-opacity=".25" stroke="var(${colour})"/>`;
};

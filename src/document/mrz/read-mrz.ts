import type { GreyImage, Image, Imaging } from "#imaging/image";
import type { Networks } from "#inference/model";
import { type DetectText, makeDetectText } from "../text/detect-text.ts";
import { groupLines } from "../text/text-lines.ts";
import { findRows } from "./find-rows.ts";
import { findSeeds } from "./find-seeds.ts";
import { layouts, textAt } from "./formats.ts";
import { bestHypothesis, type Hypothesis } from "./hypotheses.ts";
import { isKnownState } from "./issuer.ts";
import { type LineReader, makeReadLine } from "./read-line.ts";
import type { MrzReading } from "./reading.ts";
import { suggestRepair } from "./suggest.ts";
import { quadOf, quarterTurnOf } from "./zone.ts";

/** One look at the picture: the detector's input size, and whether it sees the picture turned by a quarter. */
export type Pass = { readonly longSide: number; readonly turned: boolean };

export type MrzPolicy = {
  /** In this order, cheapest first; the first accepted reading ends the search. */
  readonly passes: readonly Pass[];
  /** A character less likely than this against its nearest rival, in nats, is not certain. */
  readonly marginMin: number;
  /** Nats by which the format may overrule what a line says by itself. */
  readonly strainMax: number;
  /** Mean log likelihood of a column below which nothing was read. */
  readonly likelihoodMin: number;
  readonly longSideMax: number;
  /** A picture smaller than `longSideMin` is enlarged to `longSideEnlarged`. */
  readonly longSideMin: number;
  readonly longSideEnlarged: number;
};

/** Measured on the development pictures; see MODELS.md for what they reach. */
export const mrzPolicy: MrzPolicy = {
  passes: [
    { longSide: 512, turned: false },
    { longSide: 512, turned: true },
    { longSide: 960, turned: false },
    { longSide: 960, turned: true },
    { longSide: 1536, turned: false },
    { longSide: 1536, turned: true },
  ],
  marginMin: 2,
  strainMax: 12,
  likelihoodMin: -0.5,
  longSideMax: 2000,
  longSideMin: 1000,
  longSideEnlarged: 1300,
};

/** Finds and reads the machine readable zone of a picture in any of four turns; undefined where there is none. */
export type ReadMrz = (image: Image) => Promise<MrzReading | undefined>;

export type ReadMrzDeps = {
  readonly imaging: Pick<Imaging, "resize" | "toGrey">;
  readonly networks: Pick<Networks, "text-detector" | "mrz-line">;
  readonly policy?: MrzPolicy;
};

/** A picture at the size in which it is read. `scale` = pixels of the given picture per pixel of this one. */
type Fitted = { readonly image: Image; readonly grey: GreyImage; readonly scale: number };

const fit = async (imaging: ReadMrzDeps["imaging"], image: Image, policy: MrzPolicy): Promise<Fitted> => {
  const longSide = Math.max(image.width, image.height);
  const target =
    longSide > policy.longSideMax
      ? policy.longSideMax
      : longSide < policy.longSideMin
        ? policy.longSideEnlarged
        : longSide;
  const k = target / longSide;
  const fitted =
    k === 1
      ? image
      : await imaging.resize(
          image,
          Math.max(1, Math.round(image.width * k)),
          Math.max(1, Math.round(image.height * k)),
        );
  return { image: fitted, grey: imaging.toGrey(fitted), scale: 1 / k };
};

const statesKnown = ({ format, lines }: Hypothesis): boolean =>
  layouts[format].fields
    .filter(({ name }) => name === "issuer" || name === "nationality")
    .every(({ at }) => isKnownState(textAt(lines, at)));

const weakestOf = ({ margins }: Hypothesis): number => Math.min(...margins.flat());

const readingOf = (found: Hypothesis, scale: number, policy: MrzPolicy): MrzReading => {
  const weakestMargin = weakestOf(found);
  const checksHold = found.checks.every(({ holds }) => holds);
  const clear =
    weakestMargin >= policy.marginMin && found.decoded.every(({ strain }) => strain <= policy.strainMax);
  const suggestion = checksHold ? undefined : suggestRepair(found.format, found.decoded);
  return {
    format: found.format,
    lines: found.lines,
    margins: found.margins,
    weakestMargin,
    checks: found.checks,
    checksHold,
    clear,
    accepted: clear && checksHold && statesKnown(found),
    quad: quadOf(found, scale),
    turn: quarterTurnOf(found.zone.angle),
    pitchPx: found.zone.pitch * scale,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
};

/** How good a reading is among those of several passes. */
const worthOf = ({ checks, likelihood, margins }: Hypothesis): number =>
  (checks.every(({ holds }) => holds) ? 10 : 0) +
  Math.min(5, Math.min(...margins.flat())) +
  Math.max(-5, likelihood * 5);

type Eyes = { readonly detect: DetectText; readonly readLine: LineReader; readonly policy: MrzPolicy };

/** The best reading around the likeliest seeds of one pass. */
const look = async (eyes: Eyes, { image, grey }: Fitted, pass: Pass): Promise<Hypothesis | undefined> => {
  const groups = groupLines(await eyes.detect(image, pass));
  const seeds = await findSeeds(eyes.readLine, grey, groups);
  let best: Hypothesis | undefined;
  for (const seed of seeds.slice(0, 3)) {
    const rows = await findRows(eyes.readLine, grey, seed);
    const found = rows === undefined ? undefined : await bestHypothesis(eyes.readLine, grey, rows);
    if (found !== undefined && (best === undefined || worthOf(found) > worthOf(best))) best = found;
    const missed = best?.checks.filter(({ holds }) => !holds).length ?? Infinity;
    if (best !== undefined && best.likelihood > -0.12 && missed <= 1) break;
  }
  return best;
};

/** Reads machine readable zones with the text detector and the line network of this thread. */
export const makeReadMrz = ({ imaging, networks, policy = mrzPolicy }: ReadMrzDeps): ReadMrz => {
  const detect = makeDetectText(imaging, networks["text-detector"]);
  const eyes: Eyes = { detect, readLine: makeReadLine(networks["mrz-line"]), policy };
  return async (image) => {
    const fitted = await fit(imaging, image, policy);
    let best: Hypothesis | undefined;
    for (const pass of policy.passes) {
      const found = await look(eyes, fitted, pass);
      if (found !== undefined && (best === undefined || worthOf(found) > worthOf(best))) {
        best = found;
      }
      if (best !== undefined && readingOf(best, fitted.scale, policy).accepted) {
        break;
      }
    }
    return best === undefined || best.likelihood < policy.likelihoodMin
      ? undefined
      : readingOf(best, fitted.scale, policy);
  };
};

import type { GreyImage, Image, Imaging } from "#imaging/image";
import type { Networks } from "#inference/model";
import { type AddedTextDetector, type DetectText, makeDetectText } from "../text/detect-text.ts";
import { enlargeGrey } from "../text/resample.ts";
import type { TextBox } from "../text/text-box.ts";
import { byDirection, lengthOf } from "../text/text-direction.ts";
import { groupLines } from "../text/text-lines.ts";
import { allHold, heldCount } from "./checks.ts";
import { findRows } from "./find-rows.ts";
import { findSeeds, type Seed } from "./find-seeds.ts";
import { layouts, textAt } from "./formats.ts";
import { bestHypothesis, type Hypothesis, settledHypothesis } from "./hypotheses.ts";
import { isKnownState } from "./issuer.ts";
import { lookAgain } from "./look-again.ts";
import { type MrzPolicy, mrzPolicy, type Pass } from "./mrz-policy.ts";
import { type LineReader, makeReadLine } from "./read-line.ts";
import type { MrzReading } from "./reading.ts";
import { suggestRepair } from "./suggest.ts";
import { quadOf, quarterTurnOf } from "./zone.ts";

export type ZoneLook = {
  /** The document seems to stand on its short side, so the turned look comes first. Costs time when wrong. */
  readonly likelyTurned?: boolean;
  /** `near`: a zone of a document that fills much of the picture; `far`: a small one, at four times the cost. Both without it. */
  readonly distance?: "near" | "far";
};

/** Finds and reads the machine readable zone of a picture in any of four turns; undefined where there is none. */
export type ReadMrz = (image: Image, look?: ZoneLook) => Promise<MrzReading | undefined>;

export type ReadMrzDeps = {
  readonly imaging: Pick<Imaging, "resize" | "toGrey">;
  readonly networks: Pick<Networks, "text-detector" | "mrz-line">;
  /** Text detector that the operator added; the bundled one without it. */
  readonly textDetector?: AddedTextDetector | undefined;
  readonly policy?: MrzPolicy;
};

/**
 * A picture and its grey copy at the size in which lines are read. `scale` = pixels of the picture per pixel of the
 * copy. Only the copy is enlarged: the detector has a size of its own.
 */
type Fitted = { readonly image: Image; readonly grey: GreyImage; readonly scale: number };

const fit = async (imaging: ReadMrzDeps["imaging"], image: Image, policy: MrzPolicy): Promise<Fitted> => {
  const longSide = Math.max(image.width, image.height);
  const sides = (target: number): readonly [number, number] => [
    Math.max(1, Math.round((image.width * target) / longSide)),
    Math.max(1, Math.round((image.height * target) / longSide)),
  ];
  if (longSide > policy.longSideMax) {
    const small = await imaging.resize(image, ...sides(policy.longSideMax));
    return { image: small, grey: imaging.toGrey(small), scale: longSide / policy.longSideMax };
  }
  const grey = imaging.toGrey(image);
  return longSide < policy.longSideMin
    ? {
        image,
        grey: enlargeGrey(grey, ...sides(policy.longSideEnlarged)),
        scale: longSide / policy.longSideEnlarged,
      }
    : { image, grey, scale: 1 };
};

const statesKnown = ({ format, lines }: Hypothesis): boolean =>
  layouts[format].fields
    .filter(({ name }) => name === "issuer" || name === "nationality")
    .every(({ at }) => isKnownState(textAt(lines, at)));

const weakestOf = ({ margins }: Hypothesis): number => Math.min(...margins.flat());

/** Every character stands out, and the format had to overrule little of what the lines say by themselves. */
const isClear = (found: Hypothesis, policy: MrzPolicy): boolean =>
  weakestOf(found) >= policy.marginMin && found.decoded.every(({ strain }) => strain <= policy.strainMax);

/** Nothing speaks against the reading: clear, its check digits hold, its states are known. */
const isAccepted = (found: Hypothesis, policy: MrzPolicy): boolean =>
  isClear(found, policy) && allHold(found.checks) && statesKnown(found);

const readingOf = (found: Hypothesis, scale: number, policy: MrzPolicy): MrzReading => {
  const weakestMargin = weakestOf(found);
  const suggestion = allHold(found.checks) ? undefined : suggestRepair(found.format, found.decoded);
  return {
    format: found.format,
    lines: found.lines,
    margins: found.margins,
    weakestMargin,
    checks: found.checks,
    checksHold: allHold(found.checks),
    clear: isClear(found, policy),
    accepted: isAccepted(found, policy),
    quad: quadOf(found, scale),
    turn: quarterTurnOf(found.zone.angle),
    pitchPx: found.zone.pitch * scale,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
};

/**
 * Whether a reading is one of a zone at all. Ordinary print forced into a format lies below −0.19 with hardly a check
 * digit right, real zones above −0.05 (development pictures); in between half of the digits must hold.
 */
const isZone = ({ likelihood, checks }: Hypothesis, policy: MrzPolicy): boolean => {
  const held = heldCount(checks);
  const isLikely = likelihood >= policy.likelihoodSure;
  return isLikely || (likelihood >= policy.likelihoodMin && held > 0 && held * 2 >= checks.length);
};

/** How good a reading is among those of several passes. */
const worthOf = (found: Hypothesis): number =>
  (found.checks.length > 0 && allHold(found.checks) ? 10 : 0) +
  Math.min(5, weakestOf(found)) +
  Math.max(-5, found.likelihood * 5);

/** Other crops may tell: a character is uncertain, a check digit fails, or a state is none that is known. */
const isDoubtful = (found: Hypothesis, policy: MrzPolicy): boolean =>
  isZone(found, policy) &&
  (weakestOf(found) < policy.marginMin || !allHold(found.checks) || !statesKnown(found));

type Eyes = { readonly detect: DetectText; readonly readLine: LineReader; readonly policy: MrzPolicy };

/**
 * What one pass saw: whether there was text at all, the share of it that runs as the pass reads (by length of what has a
 * direction), whether any looked like a zone, and the best reading of it.
 */
type Sight = {
  readonly hasText: boolean;
  readonly alongShare: number;
  readonly hasSeeds: boolean;
  readonly best: Hypothesis | undefined;
};

const alongShareOf = (boxes: readonly TextBox[], turned: boolean): number => {
  const { level, down } = byDirection(boxes);
  const [along, across] = [lengthOf(turned ? down : level), lengthOf(turned ? level : down)];
  return along > 0 ? along / (along + across) : 0;
};

const better = (a: Hypothesis | undefined, b: Hypothesis | undefined): Hypothesis | undefined =>
  a === undefined || (b !== undefined && worthOf(b) > worthOf(a)) ? b : a;

const scaleBox = (box: TextBox, k: number): TextBox => ({
  ...box,
  x: box.x * k,
  y: box.y * k,
  width: box.width * k,
  height: box.height * k,
});

const readAround = async (
  readLine: LineReader,
  grey: GreyImage,
  seed: Seed,
): Promise<Hypothesis | undefined> => {
  let settled: Hypothesis | undefined;
  const rows = await findRows(readLine, grey, seed, async (zone) => {
    settled = await settledHypothesis(readLine, grey, zone);
    return settled !== undefined;
  });
  return settled ?? (rows === undefined ? undefined : await bestHypothesis(readLine, grey, rows));
};

/** Seeds tried in one pass; the first nearly always suffices, unless it begins with a speck. */
const seedsMax = 3;

/** The best reading around the likeliest seeds of one pass. */
const lookOnce = async (eyes: Eyes, { image, grey }: Fitted, pass: Pass): Promise<Sight> => {
  const longSide = Math.min(pass.longSide, Math.max(grey.width, grey.height));
  const found = await eyes.detect(image, { ...pass, longSide });
  const boxes = found.map((box) => scaleBox(box, grey.width / image.width));
  let best: Hypothesis | undefined;
  let seeds = 0;
  for await (const seed of findSeeds(eyes.readLine, grey, groupLines(boxes))) {
    seeds++;
    best = better(best, await readAround(eyes.readLine, grey, seed));
    const isGood =
      best !== undefined &&
      best.likelihood > eyes.policy.likelihoodGood &&
      best.checks.length - heldCount(best.checks) <= 1;
    if (isGood || seeds === seedsMax) break;
  }
  if (best !== undefined && isDoubtful(best, eyes.policy)) {
    best = await lookAgain(eyes.readLine, grey, best);
  }
  const alongShare = alongShareOf(boxes, pass.turned);
  return { hasText: boxes.length > 0, alongShare, hasSeeds: seeds > 0, best };
};

/** Whether a pass can show what those before it could not. */
const isWorthwhile = (
  pass: Pass,
  seen: readonly (Pass & Sight)[],
  { image, grey }: Fitted,
  policy: MrzPolicy,
): boolean => {
  const readSide = Math.max(grey.width, grey.height);
  const ownSide = Math.max(image.width, image.height);
  const isSameInput = seen.some(({ longSide, turned }) => turned === pass.turned && longSide >= readSide);
  const other = seen.find(({ longSide, turned }) => longSide === pass.longSide && turned !== pass.turned);
  const isSeen = other !== undefined && (!other.hasText || other.alongShare >= policy.alongShareSure);
  const isLarge = pass.longSide > policy.longSideFree;
  const isTooCostly = isLarge && (ownSide < policy.longSideFree || !seen.some(({ hasSeeds }) => hasSeeds));
  return !isSameInput && !isSeen && !isTooCostly;
};

/** The passes of each size, with the likelier turn first. */
const passesOf = (
  { passes, longSideNear }: MrzPolicy,
  { likelyTurned = false, distance }: ZoneLook,
): readonly Pass[] => {
  const wanted = passes.filter(({ longSide }) => distance !== "far" || longSide > longSideNear);
  return likelyTurned
    ? wanted.toSorted((a, b) => a.longSide - b.longSide || Number(b.turned) - Number(a.turned))
    : wanted;
};

/** Reads machine readable zones with the text detector and the line network of this thread. */
export const makeReadMrz = ({
  imaging,
  networks,
  textDetector,
  policy = mrzPolicy,
}: ReadMrzDeps): ReadMrz => {
  const detect = makeDetectText(imaging, networks["text-detector"], textDetector);
  const eyes: Eyes = { detect, readLine: makeReadLine(networks["mrz-line"]), policy };
  return async (image, look = {}) => {
    const fitted = await fit(imaging, image, policy);
    const seen: (Pass & Sight)[] = [];
    let best: Hypothesis | undefined;
    for (const pass of passesOf(policy, look)) {
      const isFar = pass.longSide > policy.longSideNear;
      if (isFar && look.distance === "near" && !(best !== undefined && isZone(best, policy))) break;
      if (!isWorthwhile(pass, seen, fitted, policy)) continue;
      const sight = await lookOnce(eyes, fitted, pass);
      seen.push({ ...pass, ...sight });
      best = better(best, sight.best);
      if (best !== undefined && isClear(best, policy)) break;
    }
    return best !== undefined && isZone(best, policy) ? readingOf(best, fitted.scale, policy) : undefined;
  };
};

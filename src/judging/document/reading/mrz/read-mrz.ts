import type { GreyImage, Image, Imaging } from "#machine/imaging/image";
import type { Networks } from "#machine/networks/model";
import { type AddedTextDetector, type DetectText, makeDetectText } from "../ocr/detect-text.ts";
import { enlargeGrey } from "../ocr/resample.ts";
import type { TextBox } from "../ocr/text-box.ts";
import { byDirection, lengthOf } from "../ocr/text-direction.ts";
import { groupLines } from "../ocr/text-lines.ts";
import { averageCrops } from "./average-crops.ts";
import { allHold } from "./checks.ts";
import { findRows } from "./find-rows.ts";
import { findSeeds, type Seed } from "./find-seeds.ts";
import { bestHypothesis, type Hypothesis, settledHypothesis } from "./hypotheses.ts";
import { isAccepted, isClear, isDoubtful, isGood, isMrz, rankOf, weakestOf } from "./judge-hypothesis.ts";
import { type MrzPolicy, mrzPolicy, type Pass } from "./mrz-policy.ts";
import { quadOf, quarterRotationOf } from "./mrz-region.ts";
import { isWorthwhile, type PassOptions, passesOf, readingSize, type SeenPass } from "./passes.ts";
import { type LineReader, makeReadLine } from "./read-line.ts";
import type { MrzReading } from "./reading.ts";
import { suggestRepair } from "./suggest.ts";

/**
 * Finds and reads the MRZ of an image in any of four rotations; undefined when there is none. Made by {@link
 * makeReadMrz}.
 */
export type ReadMrz = (image: Image, options?: PassOptions) => Promise<MrzReading | undefined>;

export type ReadMrzDeps = {
  readonly imaging: Pick<Imaging, "resize" | "toGrey">;
  readonly networks: Pick<Networks, "text-detector" | "mrz-line">;
  /** Text detector that the operator added; absent: the bundled one. */
  readonly textDetector?: AddedTextDetector | undefined;
  readonly policy?: MrzPolicy;
};

/**
 * An image and its grey copy at the size for reading lines. `scale` = pixels of the given image per pixel of
 * the copy. Only the copy is enlarged: the detector has its own size.
 */
type Fitted = { readonly image: Image; readonly grey: GreyImage; readonly scale: number };

const fit = async (imaging: ReadMrzDeps["imaging"], image: Image, policy: MrzPolicy): Promise<Fitted> => {
  const { width, height, scale } = readingSize(image, policy);
  if (scale === 1) return { image, grey: imaging.toGrey(image), scale };
  if (scale < 1) return { image, grey: enlargeGrey(imaging.toGrey(image), width, height), scale };
  const small = await imaging.resize(image, width, height);
  return { image: small, grey: imaging.toGrey(small), scale };
};

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
    rotation: quarterRotationOf(found.mrz.angle),
    pitchPx: found.mrz.pitch * scale,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
};

const longSideOf = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  Math.max(width, height);

type Deps = { readonly detect: DetectText; readonly readLine: LineReader; readonly policy: MrzPolicy };

type PassResult = Omit<SeenPass, keyof Pass> & { readonly best: Hypothesis | undefined };

const alongShareOf = (boxes: readonly TextBox[], rotated: boolean): number => {
  const { level, down } = byDirection(boxes);
  const [along, across] = [lengthOf(rotated ? down : level), lengthOf(rotated ? level : down)];
  return along > 0 ? along / (along + across) : 0;
};

const better = (a: Hypothesis | undefined, b: Hypothesis | undefined): Hypothesis | undefined =>
  a === undefined || (b !== undefined && rankOf(b) > rankOf(a)) ? b : a;

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
  const rows = await findRows(readLine, grey, seed, async (mrz) => {
    settled = await settledHypothesis(readLine, grey, mrz);
    return settled !== undefined;
  });
  return settled ?? (rows === undefined ? undefined : await bestHypothesis(readLine, grey, rows));
};

/** Seeds per pass; the first one is nearly always enough, unless it begins with a speck. */
const seedsMax = 3;

/** The best reading around the likeliest seeds of one pass. */
const runPass = async (deps: Deps, { image, grey }: Fitted, pass: Pass): Promise<PassResult> => {
  const longSide = Math.min(pass.longSide, longSideOf(grey));
  const found = await deps.detect(image, { ...pass, longSide });
  const boxes = found.map((box) => scaleBox(box, grey.width / image.width));
  let best: Hypothesis | undefined;
  let seeds = 0;
  for await (const seed of findSeeds(deps.readLine, grey, groupLines(boxes))) {
    seeds++;
    best = better(best, await readAround(deps.readLine, grey, seed));
    if ((best !== undefined && isGood(best, deps.policy)) || seeds === seedsMax) break;
  }
  if (best !== undefined && isDoubtful(best, deps.policy)) {
    best = await averageCrops(deps.readLine, grey, best);
  }
  const alongShare = alongShareOf(boxes, pass.rotated);
  return { hasText: boxes.length > 0, alongShare, hasSeeds: seeds > 0, best };
};

/** Makes the MRZ reader from the text detector and the line network of this thread. */
export const makeReadMrz = ({
  imaging,
  networks,
  textDetector,
  policy = mrzPolicy,
}: ReadMrzDeps): ReadMrz => {
  const detect = makeDetectText(imaging, networks["text-detector"], textDetector);
  const deps: Deps = { detect, readLine: makeReadLine(networks["mrz-line"]), policy };
  return async (image, options = {}) => {
    const fitted = await fit(imaging, image, policy);
    const sides = { readSide: longSideOf(fitted.grey), ownSide: longSideOf(fitted.image) };
    const seen: SeenPass[] = [];
    let best: Hypothesis | undefined;
    for (const pass of passesOf(policy, options)) {
      const isFar = pass.longSide > policy.longSideNear;
      if (isFar && options.distance === "near" && !(best !== undefined && isMrz(best, policy))) break;
      if (!isWorthwhile(pass, seen, sides, policy)) continue;
      const result = await runPass(deps, fitted, pass);
      seen.push({ ...pass, ...result });
      best = better(best, result.best);
      if (best !== undefined && isClear(best, policy)) break;
    }
    return best !== undefined && isMrz(best, policy) ? readingOf(best, fitted.scale, policy) : undefined;
  };
};

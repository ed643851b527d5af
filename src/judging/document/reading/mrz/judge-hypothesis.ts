import { allHold, heldCount } from "./checks.ts";
import { type Check, layouts, textAt } from "./formats.ts";
import type { Hypothesis } from "./hypotheses.ts";
import { isKnownState } from "./issuer.ts";
import type { MrzPolicy } from "./mrz-policy.ts";

/** The parts of a hypothesis that are judged. */
type Judged = Pick<Hypothesis, "format" | "lines" | "margins" | "checks" | "likelihood"> & {
  readonly decoded: readonly Pick<Hypothesis["decoded"][number], "maskCost">[];
};

const areStatesKnown = ({ format, lines }: Judged): boolean =>
  layouts[format].fields
    .filter(({ name }) => name === "issuer" || name === "nationality")
    .every(({ at }) => isKnownState(textAt(lines, at)));

/** The smallest margin of a character, in nats. */
export const weakestOf = ({ margins }: Judged): number => Math.min(...margins.flat());

/** Every margin is large enough, and the grammar mask costs few nats. */
export const isClear = (found: Judged, policy: MrzPolicy): boolean =>
  weakestOf(found) >= policy.marginMin &&
  found.decoded.every(({ maskCost }) => maskCost <= policy.maskCostMax);

/** The reading is clear, its check digits hold and its states are known. */
export const isAccepted = (found: Judged, policy: MrzPolicy): boolean =>
  isClear(found, policy) && allHold(found.checks) && areStatesKnown(found);

/**
 * Whether the digit of a check is evidence: the digit of an empty field, or of a date with fillers, is 0 more
 * often than not. Text forced into a format is mostly fillers, so such digits hold by chance ('DOCUMENTO
 * NACIONAL DE IDENTIDAD' of Peru as a visa).
 */
const isEvidence = (lines: readonly string[], { name, over }: Check): boolean => {
  const text = over.map((span) => textAt(lines, span)).join("");
  return name === "birth" || name === "expiry" ? /^\d+$/.test(text) : /[^<]/.test(text);
};

/**
 * Whether a reading is an MRZ at all. Ordinary text forced into a format is below −0.19 and has hardly a
 * valid check digit; real MRZs are above −0.05 (development images). In between, half of the digits that are
 * evidence must hold.
 */
export const isMrz = ({ format, lines, likelihood, checks }: Judged, policy: MrzPolicy): boolean => {
  if (likelihood >= policy.likelihoodReliable) return true;
  const evidence = layouts[format].checks.filter((check) => isEvidence(lines, check));
  const held = heldCount(checks.filter(({ name }) => evidence.some((check) => check.name === name)));
  return likelihood >= policy.likelihoodMin && held > 0 && held * 2 >= evidence.length;
};

/** Ranks a reading among the readings of several passes. */
export const rankOf = (found: Judged): number =>
  (found.checks.length > 0 && allHold(found.checks) ? 10 : 0) +
  Math.min(5, weakestOf(found)) +
  Math.max(-5, found.likelihood * 5);

/** Whether other crops could help: a character is uncertain, a check digit fails, or a state is unknown. */
export const isDoubtful = (found: Judged, policy: MrzPolicy): boolean =>
  isMrz(found, policy) &&
  (weakestOf(found) < policy.marginMin || !allHold(found.checks) || !areStatesKnown(found));

/**
 * Whether no further seed of the image is tried: the reading is likely, and at most one check digit is wrong.
 */
export const isGood = ({ likelihood, checks }: Judged, policy: MrzPolicy): boolean =>
  likelihood > policy.likelihoodGood && checks.length - heldCount(checks) <= 1;

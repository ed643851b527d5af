import { isEvidence, type PortraitEvidence } from "#contract/portrait-evidence";
import { colourOf, type DocumentKind } from "../attacks/attack-policy.ts";
import type { DocumentCue, DocumentCueName } from "../attacks/cue.ts";
import type { FusedAttack } from "../attacks/fusion.ts";
import { judgeAttack } from "../attacks/judge-attack.ts";
import { isPortraitDoubted } from "../attacks/portrait-bound.ts";
import type { DocumentCase, Finding } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";
import { portraitEvidenceOf } from "../portrait-evidence.ts";
import { finding } from "./finding-defaults.ts";

/**
 * Traces of a presentation attack: a copy without colour (637, strong 505), a screen (636, strong 504), a
 * recapture (101) or an attack (503) of unknown kind, a replaced portrait (506), a line that was edited later
 * (102), or several traces together (501). A doubt of the fused traces always has a finding: 101 where no
 * other states it. Only the copy was measured well enough to count as one of two signs of fraud. No trace
 * declines alone. `found` are the other findings. Without traces, only the evidence of the portrait is
 * compared with what the policy asks for.
 */
export const attackRule = (document: DocumentCase, found: readonly Finding[]): readonly Finding[] => {
  const { reading } = document;
  const fused = attackOf(document, found);
  const proven = judgeEvidence(document, portraitEvidenceOf(fused.cues, found));
  if (reading.front.attack === undefined && reading.back?.attack === undefined) return proven;
  return [
    ...proven,
    ...recaptures(fused, found, copyEvidence(document, fused)),
    hint("portrait-replaced", 506, "portrait", isPortraitDoubted(fused.cues)),
    hint("line-edited", 102, "contradiction", isStrong(fused, "edited-line")),
    hint("attack-likely", 501, "recapture", fused.verdict === "spoof" && kindsOf(fused.cues) >= 2, {
      logOdds: fused.logOdds,
    }),
  ];
};

/** Less evidence of the portrait than the policy asks for (540). Empty where it asks for none. */
const judgeEvidence = ({ policy }: DocumentCase, found: PortraitEvidence): readonly Finding[] => {
  const least = policy.portraitEvidenceMin;
  if (least === "unproven") return [];
  return [hint("portrait-unproven", 540, "portrait", !isEvidence(found, least), { found, least })];
};

/** Fuses a document's traces and its contradictions, for the kind that was found or, without it, declared. */
export const attackOf = (document: DocumentCase, found: readonly Finding[]): FusedAttack =>
  judgeAttack(document.reading, found, document.policy.attacks, kindOf(document));

const kindOf = ({ fields, declared }: DocumentCase): DocumentKind => {
  const model = fields.model ?? fields.readBy;
  return {
    country: fields.values.issuer?.value ?? declared.country,
    type: declared.type,
    ...(model === undefined ? {} : { model }),
  };
};

/**
 * The figures of the side that looks most like a copy. `colour: pale` where genuine documents of its type
 * have little colour.
 */
const copyEvidence = (document: DocumentCase, fused: FusedAttack): Finding["evidence"] => {
  const [cue] = of(fused, ["grey-copy"]).toSorted((a, b) => b.weight - a.weight);
  if (cue === undefined || cue.on === "document") return {};
  const { is } = colourOf(document.policy.attacks, kindOf(document), cue.on);
  return { ...cue.evidence, ...(is === "pale" && { colour: is }) };
};

const recaptures = (
  fused: FusedAttack,
  found: readonly Finding[],
  copy: Finding["evidence"],
): readonly Finding[] => {
  const copies = levelsOf(fused, "grey-copy", "grey-portrait");
  const screens = levelsOf(fused, "fine-pattern");
  const [isCopy, isScreen] = [copies, screens].map((levels) => levels.some((level) => level !== "none"));
  const isUnsettled =
    !isCopy &&
    !isScreen &&
    fused.verdict !== "credible" &&
    (isSeen(fused, "rim-around-card") || !isStatedOtherwise(fused, found));
  return [
    finding({
      name: "grey-copy",
      stage: "recapture",
      code: 637,
      strong: 505,
      consequence: copies.includes("strong") ? "review" : "resubmit",
      source: "colour",
      holds: copies.length === 0 ? "unknown" : isCopy === true,
      evidence: copy,
    }),
    finding({
      name: "screen",
      stage: "recapture",
      code: 636,
      strong: 504,
      consequence: screens.includes("strong") ? "review" : "resubmit",
      source: "pattern",
      isHint: true,
      holds: screens.length === 0 ? "unknown" : isScreen === true,
      evidence: evidenceOf(fused, "fine-pattern"),
    }),
    hint("recapture-of-unknown-kind", 101, "recapture", isUnsettled, { logOdds: fused.logOdds }),
    hint("attack-of-unknown-kind", 503, "recapture", isCopy === true && isScreen === true),
  ];
};

/** Whether a finding of no recapture states the doubt: of a contradiction, the portrait or a line. */
const isStatedOtherwise = (fused: FusedAttack, found: readonly Finding[]): boolean =>
  found.some(({ stage, holds }) => stage === "contradiction" && holds === true) ||
  isPortraitDoubted(fused.cues) === true ||
  isStrong(fused, "edited-line") === true;

const hint = (
  name: FindingName,
  code: Finding["code"],
  stage: Finding["stage"],
  holds: boolean | "unknown",
  evidence: Finding["evidence"] = {},
): Finding => finding({ name, stage, code, consequence: "review", isHint: true, holds, evidence });

const of = ({ cues }: FusedAttack, names: readonly DocumentCueName[]): readonly DocumentCue[] =>
  cues.filter(({ name }) => names.includes(name));

const levelsOf = (
  fused: FusedAttack,
  ...names: readonly DocumentCueName[]
): readonly DocumentCue["level"][] => of(fused, names).map(({ level }) => level);

const isSeen = (fused: FusedAttack, ...names: readonly DocumentCueName[]): boolean =>
  levelsOf(fused, ...names).some((level) => level !== "none");

const isStrong = (fused: FusedAttack, ...names: readonly DocumentCueName[]): boolean | "unknown" => {
  const levels = levelsOf(fused, ...names);
  return levels.length === 0 ? "unknown" : levels.includes("strong");
};

/** Number of different traces that were found. A grey portrait and a grey card are the same trace. */
const kindsOf = (cues: readonly DocumentCue[]): number =>
  new Set(
    cues
      .filter(({ level }) => level !== "none")
      .map(({ name }) => (name === "grey-portrait" ? "grey-copy" : name)),
  ).size;

/** Evidence of the side on which the trace is strongest. */
const evidenceOf = (fused: FusedAttack, name: DocumentCueName): Finding["evidence"] =>
  of(fused, [name]).toSorted((a, b) => b.weight - a.weight)[0]?.evidence ?? {};

import type { Json } from "#contract/json";
import type { FusionBounds } from "#contract/presentation-attack/bounds";
import { type CueEvidence, calibrate, logOddsOf } from "#contract/presentation-attack/fusion";
import type { AttackPolicy } from "./attack-policy.ts";
import {
  cueReasons,
  cueWeights,
  type DocumentCue,
  type DocumentCueName,
  decisiveCues,
  documentCueNames,
  portraitCues,
} from "./cue.ts";

/** The result of all cues of a document. */
export type FusedAttack = {
  /** Log odds of an attack. */
  readonly logOdds: number;
  readonly verdict: "credible" | "doubtful" | "spoof";
  readonly cues: readonly DocumentCue[];
};

/** Joins the cues as independent evidence (naive Bayes with fitted weights). */
export const fuseCues = (cues: readonly DocumentCue[], { fusion, decision }: AttackPolicy): FusedAttack => {
  const logOdds = logOddsOf(calibrate(joinCues(cues), fusion), fusion.offset);
  const verdict =
    logOdds >= decision.spoof ? "spoof" : logOdds >= decision.doubtful ? "doubtful" : "credible";
  return { logOdds, verdict, cues };
};

/**
 * One weight for each cue, before calibration. A cue on both sides counts once, with its larger weight: one
 * copier made both sides. A grey portrait is the same evidence as a grey card, and the traces of the portrait
 * are one evidence. Contradictions of different sources add up.
 */
export const joinCues = (cues: readonly DocumentCue[]): readonly CueEvidence<DocumentCueName>[] => {
  const weights = new Map<DocumentCueName, number>();
  for (const { name: own, weight } of withoutWeaker(cues)) {
    const name = own === "grey-portrait" ? "grey-copy" : own;
    const before = weights.get(name);
    const joined = own === "contradiction" ? (before ?? 0) + weight : Math.max(before ?? weight, weight);
    weights.set(name, joined);
  }
  return [...weights].map(([cue, weight]) => ({ cue, weight }));
};

/** Of the portrait's traces the heaviest alone. */
const withoutWeaker = (cues: readonly DocumentCue[]): readonly DocumentCue[] => {
  const [heaviest] = cues
    .filter(({ name }) => portraitCues.includes(name))
    .toSorted((one, other) => other.weight - one.weight);
  return cues.filter((cue) => !portraitCues.includes(cue.name) || cue === heaviest);
};

/** A grey portrait has the weight of a grey card. */
const fusedCues = documentCueNames.filter((name) => name !== "grey-portrait");

export const isDecisive = (cue: DocumentCueName): boolean => decisiveCues.includes(cue);

/** The largest weight of a hint before calibration. */
export const hintMaxOf = (cue: DocumentCueName): number =>
  cue === "other-face" || cue === "ghost-differs" ? cueWeights.otherFace : cueWeights.hintMax;

/** Limits of every fusion: with them one hint alone never makes a spoof, and no cue supports a document. */
export const documentBounds = ({
  decision,
}: Pick<AttackPolicy, "decision">): FusionBounds<DocumentCueName> => ({
  cues: fusedCues,
  offset: [-4, -1.6],
  scaleMax: 3,
  attackLogOdds: decision.spoof,
  weakMaxOf: (scales) =>
    Math.max(
      ...fusedCues.filter((cue) => !isDecisive(cue)).map((cue) => hintMaxOf(cue) * (scales[cue] ?? 1)),
    ),
});

/**
 * The record for the operator: the weight of every measured cue, and the reason where its level is not
 * `none`.
 */
export const describeAttack = ({ logOdds, verdict, cues }: FusedAttack): Json => ({
  logOdds,
  verdict,
  // Stored key: earlier releases wrote it.
  signals: cues.map(({ name, on, level, weight, evidence }) => ({
    name,
    on,
    level,
    weight,
    evidence: { ...evidence },
    ...(level === "none" ? {} : { reason: cueReasons[name] }),
  })),
});

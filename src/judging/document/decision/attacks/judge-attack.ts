import type { DocumentReading, SideReading } from "../../reading/reading.ts";
import type { Finding } from "../finding.ts";
import { type AttackPolicy, colourOf, type DocumentKind } from "./attack-policy.ts";
import { cueWeights, type DocumentCue } from "./cue.ts";
import { type FusedAttack, fuseCues } from "./fusion.ts";
import { judgePixelCues } from "./pixel-cues.ts";

/**
 * Judges a document by its cues and its contradictions. Pure. Of `findings`, only contradictions that hold
 * count: one for each source. An exact contradiction has the largest weight.
 */
export const judgeAttack = (
  { front, back }: DocumentReading,
  findings: readonly Finding[],
  policy: AttackPolicy,
  kind: DocumentKind,
): FusedAttack => {
  const tracesOf = (side: SideReading | undefined, on: "front" | "back"): readonly DocumentCue[] =>
    side?.attack === undefined ? [] : judgePixelCues(side.attack, on, policy, colourOf(policy, kind, on));
  const contradictions = findings.filter(
    ({ stage, code, holds }) => stage === "contradiction" && code === altered && holds === true,
  );
  return fuseCues(
    [...tracesOf(front, "front"), ...tracesOf(back, "back"), ...contradictionsOf(contradictions)],
    policy,
  );
};

/** Tampered, data cross reference. A specimen mark is no contradiction. */
const altered = 507;

/**
 * An exact contradiction makes a spoof alone. Two others of different sources make a spoof; one makes a
 * review.
 */
const declineWeight = 6;

/** Any number of hints makes a document doubtful, never a spoof. */
const hintWeight = 1.8;

/**
 * The strongest contradiction of each source: one misread field may cause several findings. Hints count once,
 * and only without other contradictions.
 */
const contradictionsOf = (found: readonly Finding[]): readonly DocumentCue[] => {
  const firm = found.filter(({ isHint }) => isHint !== true);
  if (firm.length === 0) return found.length > 0 ? [contradiction("weak", hintWeight)] : [];
  return [...new Set(firm.map(({ source }) => source))].map((source) => {
    const isExact = firm.some((one) => one.source === source && one.consequence === "decline");
    return isExact ? contradiction("strong", declineWeight) : contradiction("weak", cueWeights.contradiction);
  });
};

const contradiction = (level: DocumentCue["level"], weight: number): DocumentCue => ({
  name: "contradiction",
  on: "document",
  level,
  weight,
  evidence: {},
});

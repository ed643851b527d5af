import type { Finding } from "../finding.ts";
import type { DocumentReading, SideReading } from "../reading.ts";
import { type AttackPolicy, colourOf, type DocumentKind } from "./attack-policy.ts";
import { type FusedAttack, fuseSignals } from "./fusion.ts";
import { judgeTraces } from "./pixel-signals.ts";
import { type Signal, weights } from "./signal.ts";

/**
 * Judges a document by its traces and by what it says of itself. Pure. `findings` may be all of a document: of them the
 * contradictions that hold count, one for each source, most where one is exact.
 */
export const judgeAttack = (
  { front, back }: DocumentReading,
  findings: readonly Finding[],
  policy: AttackPolicy,
  kind: DocumentKind,
): FusedAttack => {
  const tracesOf = (side: SideReading | undefined, on: "front" | "back"): readonly Signal[] =>
    side?.attack === undefined ? [] : judgeTraces(side.attack, on, policy, colourOf(policy, kind, on));
  const said = findings.filter(
    ({ stage, code, holds }) => stage === "contradiction" && code === altered && holds === true,
  );
  return fuseSignals(
    [...tracesOf(front, "front"), ...tracesOf(back, "back"), ...contradictionsOf(said)],
    policy,
  );
};

/** Tampered, data cross reference. That a document calls itself a specimen contradicts nothing. */
const altered = 507;

/** An exact contradiction alone makes a spoof, two single ones from different sources do; one is for a person to look at. */
const declineWeight = 6;

/** Hints, however many, make a document doubtful and never a spoof. */
const hintWeight = 1.8;

/**
 * One for each source, its strongest: what rests on one misread field is one contradiction, however many findings it makes.
 * Hints count where nothing else contradicts, and once.
 */
const contradictionsOf = (said: readonly Finding[]): readonly Signal[] => {
  const firm = said.filter(({ isHint }) => isHint !== true);
  if (firm.length === 0) return said.length > 0 ? [contradiction("weak", hintWeight)] : [];
  return [...new Set(firm.map(({ source }) => source))].map((source) => {
    const isExact = firm.some((one) => one.source === source && one.consequence === "decline");
    return isExact ? contradiction("strong", declineWeight) : contradiction("weak", weights.contradiction);
  });
};

const contradiction = (level: Signal["level"], weight: number): Signal => ({
  name: "contradiction",
  on: "document",
  level,
  weight,
  evidence: {},
});

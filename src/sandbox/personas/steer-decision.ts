import { type ReasonCode, reasons, reasonText } from "#contract/reason-code";
import { verificationCode } from "#contract/verification-code";
import type { DecideDocument } from "#judging/document/decision/decide";
import type { Consequence, Finding, Stage } from "#judging/document/decision/finding";
import { judgeDocument } from "#judging/document/decision/judge";
import { personas } from "./catalogue/catalogue.ts";
import type { SteeredDocument } from "./persona.ts";

type Decided = ReturnType<DecideDocument>;

/**
 * The stage of a steered finding: a request for better images is a fault of the capture, every other a fact
 * of history.
 */
const stageOf = (consequence: Consequence): Stage => (consequence === "resubmit" ? "capture" : "history");

const consequenceOf = (code: ReasonCode): Consequence => {
  const { alone } = reasons[code];
  return alone === "never" ? "review" : alone;
};

const findingOf = ({
  code,
  consequence = consequenceOf(code),
}: NonNullable<SteeredDocument["finding"]>): Finding => ({
  name: "persona",
  stage: stageOf(consequence),
  code,
  consequence,
  holds: true,
  source: "persona",
  neededForApproval: false,
  evidence: { isSteered: true },
});

const reported = ({ status, code }: NonNullable<SteeredDocument["reported"]>): Decided["decision"] => ({
  code: verificationCode[status],
  status,
  reason: code === null ? null : reasonText(code),
  reasonCode: code,
  others: [],
});

/** What the personas steer in a decision, by name. */
const steeredDocuments: ReadonlyMap<string, SteeredDocument> = new Map(
  personas.flatMap(({ name, images }) =>
    Object.values(images).flatMap(({ steering }) =>
      steering?.kind === "document" ? [[name, steering.of] as const] : [],
    ),
  ),
);

/**
 * The decision of test keys. For a reading that names a persona, the steered facts take the place of policy,
 * history and attempt, and its finding joins the others: then the same judge decides. Only what no finding
 * may cause is reported, as an external provider would.
 */
export const steerDecision =
  (decide: DecideDocument): DecideDocument =>
  (...asked) => {
    const [document, declared, now, policy, history, attempt] = asked;
    const { persona } = document.reading;
    const of = persona === undefined ? undefined : steeredDocuments.get(persona);
    if (of === undefined) return decide(...asked);
    const changed = { ...policy, ...of.policy };
    const counted = of.attempt ?? attempt ?? 1;
    const decided = decide(document, declared, now, changed, { ...history, ...of.history }, counted);
    return withFinding(decided, of, (findings) => judgeDocument(findings, changed, counted));
  };

const withFinding = (
  decided: Decided,
  { finding, reported: report }: SteeredDocument,
  judge: (findings: readonly Finding[]) => Decided["decision"],
): Decided => {
  if (report !== undefined) return { ...decided, decision: reported(report) };
  if (finding === undefined) return decided;
  const findings = [findingOf(finding), ...decided.findings];
  return { ...decided, findings, decision: judge(findings) };
};

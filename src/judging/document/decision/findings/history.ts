import type { DocumentCase, Finding, FindingRule } from "../finding.ts";
import type { FaceMatch } from "../history/history.ts";
import { isCorroborated } from "../trust-level.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The holder or the number is known from before. A face on the operator's block list (127) is an exact
 * finding where the score reaches the strict rate, and goes to review below it. A face that is registered for
 * another user is 124 where duplicates are refused, and 108 where they are only flagged. A number that is
 * bound to another customer is 110. What was not evaluated is `unknown`; it does not approve where approval
 * needs the answer.
 */
export const historyRule: FindingRule = (document) => {
  const { history } = document;
  const { blockedFace, registeredFace, numberOfAnother } = history;
  const findings: Finding[] = velocityFindings(document);
  if (blockedFace !== undefined) {
    findings.push(
      finding({
        name: "portrait-blocked",
        stage: "history",
        code: 127,
        consequence: blockedFace === "sure" ? "decline" : "review",
        neededForApproval: true,
        holds: holdsOf(blockedFace),
        evidence: { isSure: blockedFace === "sure" },
      }),
    );
  }
  if (registeredFace !== undefined) {
    const { match, isForbidden } = registeredFace;
    findings.push(
      finding({
        name: isForbidden ? "portrait-registered-already" : "portrait-of-another-user",
        stage: "history",
        code: isForbidden ? 124 : 108,
        consequence: "review",
        neededForApproval: isForbidden,
        holds: holdsOf(match),
        evidence: { isSure: match === "sure" },
      }),
    );
  }
  if (numberOfAnother !== undefined) {
    findings.push(
      finding({
        name: "number-of-another-customer",
        stage: "history",
        code: 110,
        consequence: "review",
        holds: numberOfAnother,
      }),
    );
  }
  return findings;
};

/**
 * The block list of documents and the attempts. A listed document (106) is an exact finding where its number
 * is corroborated, else it goes to review. The operator's policy sets how often a number or a reference may
 * come (107).
 */
const velocityFindings = ({ history: { listed, attempts }, fields, policy }: DocumentCase): Finding[] => {
  const { attemptsMax, hours } = policy.velocity;
  const findings: Finding[] = [];
  if (listed !== undefined) {
    const isExact = listed.some((name) => isCorroborated(fields, name));
    findings.push(
      finding({
        name: "document-listed",
        stage: "history",
        code: 106,
        consequence: isExact ? "decline" : "review",
        holds: listed.length > 0,
        evidence: { by: listed.join(" "), isExact },
      }),
    );
  }
  if (attempts !== undefined) {
    findings.push(
      finding({
        name: "attempts-too-many",
        stage: "history",
        code: 107,
        consequence: "review",
        holds: attempts > attemptsMax,
        evidence: { attempts, attemptsMax, hours },
      }),
    );
  }
  return findings;
};

const holdsOf = (match: FaceMatch): Finding["holds"] => (match === "unknown" ? "unknown" : match !== "none");

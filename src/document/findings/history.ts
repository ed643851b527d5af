import type { Finding, Question } from "../finding.ts";
import type { DocumentHistory, FaceSighting } from "../history.ts";
import type { DocumentPolicy } from "../policy.ts";
import { finding } from "./answer.ts";

/**
 * Was the holder or the number met before? The face on the operator's block list (127) is an exact finding where the score
 * is that of the strict rate, else for a person. A face that is registered for somebody else is 124 where nobody may be
 * registered twice, and 108 where it is only noted; a number that is bound to another customer is 110. What was not
 * evaluated holds for nobody, and where the answer is needed it approves nobody.
 */
export const askHistory: Question = ({ history, policy }) => {
  const { blockedFace, registeredFace, numberOfAnother } = history;
  const findings: Finding[] = askMetBefore(history, policy);
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
    const { sighting, isForbidden } = registeredFace;
    findings.push(
      finding({
        name: isForbidden ? "portrait-registered-already" : "portrait-of-another-user",
        stage: "history",
        code: isForbidden ? 124 : 108,
        consequence: "review",
        neededForApproval: isForbidden,
        holds: holdsOf(sighting),
        evidence: { isSure: sighting === "sure" },
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

/** The operator's list is exact (106); how often a number or a reference may come is the operator's own figure (107). */
const askMetBefore = (
  { listed, attempts }: DocumentHistory,
  { velocity: { attemptsMax, hours } }: DocumentPolicy,
): Finding[] => {
  const findings: Finding[] = [];
  if (listed !== undefined) {
    findings.push(
      finding({
        name: "document-listed",
        stage: "history",
        code: 106,
        consequence: "decline",
        holds: listed.length > 0,
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

const holdsOf = (sighting: FaceSighting): Finding["holds"] =>
  sighting === "unknown" ? "unknown" : sighting !== "none";

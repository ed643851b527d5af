import type { DocumentCase, Finding, Question } from "../finding.ts";
import type { FaceSighting } from "../history.ts";
import { finding } from "./answer.ts";
import { isVouched } from "./vouched.ts";

/**
 * Was the holder or the number met before? The face on the operator's block list (127) is an exact finding where the score
 * is that of the strict rate, else for a person. A face that is registered for somebody else is 124 where nobody may be
 * registered twice, and 108 where it is only noted; a number that is bound to another customer is 110. What was not
 * evaluated holds for nobody, and where the answer is needed it approves nobody.
 */
export const askHistory: Question = (document) => {
  const { history } = document;
  const { blockedFace, registeredFace, numberOfAnother } = history;
  const findings: Finding[] = askMetBefore(document);
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

/**
 * The operator's list is exact (106) where the number is vouched for, else for a person; how often a number or a reference
 * may come is the operator's own figure (107).
 */
const askMetBefore = ({ history: { listed, attempts }, fields, policy }: DocumentCase): Finding[] => {
  const { attemptsMax, hours } = policy.velocity;
  const findings: Finding[] = [];
  if (listed !== undefined) {
    const isExact = listed.some((name) => isVouched(fields, name));
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

const holdsOf = (sighting: FaceSighting): Finding["holds"] =>
  sighting === "unknown" ? "unknown" : sighting !== "none";

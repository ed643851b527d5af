import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/**
 * Is the portrait that of the registered user whose document it is said to be? Asked where the policy takes that user as
 * reference. Without a user (121) or without a template (122) nothing can be compared, which is exact. A portrait that does
 * not match (120) is for a person: at the score for documents three of ten drawn portraits do not match their own holder
 * (docs/measurements.md).
 */
export const askReference: Question = ({ history: { reference } }) =>
  reference === undefined
    ? []
    : [
        finding({
          name: "user-unnamed",
          stage: "request",
          code: 121,
          consequence: "decline",
          holds: reference === "unnamed",
        }),
        finding({
          name: "user-unregistered",
          stage: "history",
          code: 122,
          consequence: "decline",
          holds: reference === "unregistered",
        }),
        finding({
          name: "portrait-of-no-registered-user",
          stage: "face",
          code: 120,
          consequence: "review",
          neededForApproval: true,
          holds: reference === "other" ? true : reference === "same" ? false : "unknown",
        }),
      ];

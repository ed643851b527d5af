import type { FindingRule } from "../finding.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The portrait against the template of the registered user that the caller named. Evaluated where the policy
 * takes that user as reference. A missing user (121) and a missing template (122) are exact findings. A
 * portrait that does not match (120) goes to review: at the score for documents one of eight drawn portraits
 * does not match its own holder (docs/measurements/fairness.md).
 */
export const referenceRule: FindingRule = ({ history: { reference } }) =>
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

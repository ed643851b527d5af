import type { FindingRule } from "../finding.ts";
import { finding } from "./finding-defaults.ts";

/** The front has no portrait (643). Ghost portraits beside it do not matter. */
export const portraitRule: FindingRule = ({ reading }) => [
  finding({
    name: "portrait-missing",
    stage: "portrait",
    code: 643,
    consequence: "resubmit",
    neededForApproval: true,
    holds: reading.front.portrait === undefined,
    evidence: { faces: reading.front.faces },
  }),
];

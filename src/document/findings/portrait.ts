import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/** Was the holder's portrait found on the front (643)? Ghost portraits beside it do not matter. */
export const askPortrait: Question = ({ reading }) => [
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

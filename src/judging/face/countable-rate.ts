import { isGroup } from "#contract/json";
import type { TransactionRecord } from "#record/transactions/record";
import { fmrAtScore } from "./matching/calibration.ts";
import { scaleIn } from "./policy.ts";

/**
 * Under what the rates of `counted-rate.ts` were counted: the bundled pair with the shipped cohort, by their
 * entries in a record. An own cohort and an added recogniser have another scale.
 */
export const countedUnder = {
  scale: "face-9",
  models: {
    "dlib-resnet": "22d86d5a07ee81a0c4f41c192a4c68fb3d9cbd93a6bea7245b52314a621db404",
    faceres: "a32386ab6d17b4e8b0d1cbda0b9d3bc3375a9630c69ad3d200eaef1e1531036b",
    "face-cohort": "cbc7c0f3af0f6575842eb8b98c7a5c3e236c8e9a686cb31e2c1410992d221b42",
  },
} as const;

type Recorded = Pick<TransactionRecord, "measurements" | "policyVersion" | "models">;

const isCountedPair = ({ policyVersion, models }: Recorded): boolean =>
  scaleIn(policyVersion) === countedUnder.scale &&
  Object.entries(countedUnder.models).every(([name, sha256]) => models[name] === sha256);

/**
 * The calibrated rate of a recorded comparison, where pairs were counted under the same recognisers, cohort
 * and calibration. Undefined for any other record, and for one that does not show it.
 */
export const countableRateOf = (record: Recorded): number | undefined => {
  const { measurements } = record;
  const comparison = isGroup(measurements) ? measurements["comparison"] : undefined;
  if (!isGroup(comparison) || !isCountedPair(record)) return undefined;
  const { score, falseMatchRate } = comparison;
  // A rate of another calibration is not that of its score.
  return typeof score === "number" && falseMatchRate === fmrAtScore(score) ? falseMatchRate : undefined;
};

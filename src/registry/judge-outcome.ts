import { type CivilResult, identityFields } from "#contract/civil-code";
import type { FacialAuthenticationNumber } from "#contract/facial-authentication";
import { type Outcome, outcomeOf } from "#contract/outcome";
import type { ComparedValue } from "./compare-person.ts";

/** The results of a civil validation; a part that was not asked for is absent. */
export type CivilResults = {
  readonly isKnown: boolean;
  readonly values?: readonly ComparedValue[];
  readonly facial?: FacialAuthenticationNumber;
};

const isOf = (results: readonly CivilResult[]) => (value: ComparedValue) =>
  identityFields.some((field) => field === value.field) && results.includes(value.result);

/**
 * The next step of the integrator. Data approves if an identity field agrees or is similar, and none is different or not
 * comparable. It rejects if one is different, or if the registry does not have the person. The worse of data and face counts.
 */
export const judgeOutcome = ({ isKnown, values, facial }: CivilResults): Outcome => {
  if (!isKnown) return "rejected";
  const ofFace = facial === undefined ? "approved" : outcomeOf({ facial });
  const ofData = values === undefined ? "approved" : outcomeOfData(values);
  const found = [ofFace, ofData];
  return (["rejected", "error", "retry"] as const).find((outcome) => found.includes(outcome)) ?? "approved";
};

const outcomeOfData = (values: readonly ComparedValue[]): Outcome => {
  if (values.some(isOf(["different"]))) return "rejected";
  const isOpen = values.some(isOf(["notComparable"]));
  return !isOpen && values.some(isOf(["agrees", "similar"])) ? "approved" : "retry";
};

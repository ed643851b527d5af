import { type CivilResult, type ComparedField, identityFields } from "#contract/civil-code";
import type { FacialAuthenticationNumber } from "#contract/facial-authentication";
import { type Outcome, outcomeOf } from "#contract/outcome";
import type { ComparedValue } from "./compare-person.ts";

/** The results of a civil validation; a part that was not asked for is absent. */
export type CivilResults = {
  readonly isKnown: boolean;
  readonly values?: readonly ComparedValue[];
  /** The fields that the document shows. What was only sent states nothing about the document. */
  readonly shown: readonly ComparedField[];
  readonly facial?: FacialAuthenticationNumber;
  /** False where front and back of the document may be of two persons; absent where no document was read. */
  readonly isDocumentTied?: boolean;
};

const isOf = (results: readonly CivilResult[]) => (value: ComparedValue) =>
  identityFields.some((field) => field === value.field) && results.includes(value.result);

/**
 * The next step of the integrator. Data approves if an identity field that the document shows agrees or is
 * similar, and none is different or not comparable, and the sides of the document belong together. It rejects
 * if one is different, or if the registry does not have the person. The worse of data and face counts.
 */
export const judgeOutcome = ({
  isKnown,
  values,
  shown,
  facial,
  isDocumentTied = true,
}: CivilResults): Outcome => {
  if (!isKnown) return "rejected";
  const ofFace = facial === undefined ? "approved" : outcomeOf({ facial });
  const ofData = values === undefined ? "approved" : outcomeOfData(values, shown, isDocumentTied);
  const found = [ofFace, ofData];
  return (["rejected", "error", "retry"] as const).find((outcome) => found.includes(outcome)) ?? "approved";
};

const outcomeOfData = (
  values: readonly ComparedValue[],
  shown: readonly ComparedField[],
  isDocumentTied: boolean,
): Outcome => {
  if (values.some(isOf(["different"]))) return "rejected";
  const isOpen = !isDocumentTied || values.some(isOf(["notComparable"]));
  const onDocument = values.filter(({ field }) => shown.includes(field));
  return !isOpen && onDocument.some(isOf(["agrees", "similar"])) ? "approved" : "retry";
};

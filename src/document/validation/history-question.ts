import type { Validation } from "#storage/store";
import type { FieldName } from "../field-name.ts";
import type { HistoryQuestion } from "../history.ts";
import { canonicalNumber } from "../numbers/canonical-number.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { DocumentReading } from "../reading.ts";
import type { ValidationInput } from "./sealed.ts";

/** A value that is sure, else null: an unsure number would be another document's. */
export type SureValue = (name: FieldName) => string | null;

/** What is asked of a document's past and of the world outside, by its portrait and by values that are sure alone. */
export const historyQuestionOf = (
  { tenantId, world }: Validation,
  { merchantReference }: ValidationInput,
  { front }: DocumentReading,
  valueOf: SureValue,
  { reference }: Pick<DocumentPolicy, "reference">,
  signal: AbortSignal,
): HistoryQuestion => {
  const country = valueOf("issuer");
  const numberOf = (name: "documentNumber" | "personalNumber") => {
    const text = valueOf(name);
    return country === null || text === null
      ? undefined
      : ([country, canonicalNumber(country, text)] as const);
  };
  const [number, personalNumber] = [numberOf("documentNumber"), numberOf("personalNumber")];
  const portrait = front.portrait?.jpeg;
  const lastName = valueOf("lastName");
  return {
    owner: { tenantId, world },
    customer: merchantReference,
    wantsReference: reference === "registeredUser",
    signal,
    ...(portrait && { portrait }),
    ...(lastName !== null && {
      person: { lastName, firstName: valueOf("firstName"), dateOfBirth: valueOf("dateOfBirth") },
    }),
    ...(number && { number }),
    ...(personalNumber && { personalNumber }),
  };
};

import type { HistoryQuestion } from "../decision/history/history.ts";
import type { DocumentPolicy } from "../decision/policy.ts";
import type { DocumentReading } from "../reading/reading.ts";
import type { Validation } from "../store/validation.ts";
import type { FieldName } from "../values/field-name.ts";
import { canonicalNumber } from "../values/numbers/canonical-number.ts";
import type { ValidationInput } from "./sealed.ts";

/** A value with enough trust, else null: a misread number could be the number of another document. */
export type TrustedValue = (name: FieldName) => string | null;

/** The question to the history checks and the watchlists: the portrait, and only values with enough trust. */
export const historyQuestionOf = (
  { id, tenantId, environment }: Validation,
  { merchantReference, type }: ValidationInput,
  { front }: DocumentReading,
  valueOf: TrustedValue,
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
    owner: { tenantId, environment },
    customer: merchantReference,
    civil: {
      validation: id,
      isPassport: type === "PASSPORT",
      sex: valueOf("sex"),
      documentCode: valueOf("documentCode"),
    },
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

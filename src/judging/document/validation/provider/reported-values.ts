import type { DocumentFields } from "../../decision/fields.ts";
import type { FieldName } from "../../values/field-name.ts";
import { canonicalNumber } from "../../values/numbers/canonical-number.ts";
import type { ProviderDecision } from "./document-provider.ts";

type ReportedValues = { readonly [name in FieldName]?: string | null };

/** Values that a provider reported, by field name. Null if it reported none. */
export const reportedValuesOf = ({ document, person }: ProviderDecision): ReportedValues => ({
  issuer: document.country,
  documentNumber: document.number,
  personalNumber: person.idNumber ?? null,
  lastName: person.lastName,
  firstName: person.firstName,
  dateOfBirth: person.dateOfBirth,
});

/**
 * The fields on which this service and the provider agree. A value with one source only is not used for list
 * searches, so that it cannot cause a decline.
 */
export const agreeingFields = (fields: DocumentFields, reported: ProviderDecision): DocumentFields => {
  const values = new Map(Object.entries(reportedValuesOf(reported)));
  const agree = (name: string, own: string): boolean => {
    const theirs = values.get(name) ?? null;
    return theirs !== null && areSame(reported.document.country, own, theirs);
  };
  return {
    ...fields,
    values: Object.fromEntries(
      Object.entries(fields.values).filter(([name, { value }]) => agree(name, value)),
    ),
  };
};

const areSame = (country: string | null, one: string, other: string): boolean =>
  one === other || (country !== null && canonicalNumber(country, one) === canonicalNumber(country, other));

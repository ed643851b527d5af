import type { FieldName } from "../field-name.ts";
import type { DocumentFields } from "../fields.ts";
import { canonicalNumber } from "../numbers/canonical-number.ts";
import type { ToldDecision } from "./morphology-provider.ts";

type ToldValues = { readonly [name in FieldName]?: string | null };

/** What a provider told of a document, by the names of fields; null where it told nothing. */
export const toldValuesOf = ({ document, person }: ToldDecision): ToldValues => ({
  issuer: document.country,
  documentNumber: document.number,
  personalNumber: person.idNumber ?? null,
  lastName: person.lastName,
  firstName: person.firstName,
  dateOfBirth: person.dateOfBirth,
});

/**
 * The fields that this service read itself, without those that the provider tells otherwise: what two agree on is sure,
 * what the provider alone tells turns nobody away on a list.
 */
export const agreeingFields = (fields: DocumentFields, told: ToldDecision): DocumentFields => {
  const values = new Map(Object.entries(toldValuesOf(told)));
  const agree = (name: string, own: string): boolean => {
    const theirs = values.get(name) ?? null;
    return theirs !== null && areSame(told.document.country, own, theirs);
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

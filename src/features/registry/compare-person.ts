import { type CivilResult, type ComparedField, comparedFields } from "#contract/civil-code";
import { compareCountries } from "./compare/compare-countries.ts";
import { compareBirthDates, compareDates } from "./compare/compare-dates.ts";
import {
  compareGivenNames,
  comparePersonNames,
  compareSurnames,
  type NameResults,
} from "./compare/compare-names.ts";
import { compareSexes } from "./compare/compare-sexes.ts";
import { compareCivilStates, compareTexts } from "./compare/compare-texts.ts";
import type { CountryRegistry } from "./countries/country-registry.ts";
import { judgeNumber } from "./judge-number.ts";

/** Values by the names of the registry's fields. */
export type CivilValues = Readonly<Partial<Record<ComparedField, string>>>;

/** How one field compares. */
export type ComparedValue = { readonly field: ComparedField; readonly result: CivilResult };

type Context = { readonly registry: CountryRegistry; readonly day: string };

type Compare = (own: string, other: string, context: Context) => CivilResult;

/**
 * Compares what the call gave with what the registry holds: one result for each field that one of them has.
 * `day` is today (YYYY-MM-DD).
 */
export const comparePerson = (
  sent: CivilValues,
  held: CivilValues,
  registry: CountryRegistry,
  day: string,
): readonly ComparedValue[] => {
  const context = { registry, day };
  const names = compareNames(sent, held, registry);
  return comparedFields.flatMap((field): readonly ComparedValue[] => {
    const [own, other] = [sent[field], held[field]];
    if (own === undefined && other === undefined) return [];
    const name = isNameField(field) ? names?.[field] : undefined;
    if (name !== undefined) return [{ field, result: name }];
    if (own === undefined) return [{ field, result: "notProvided" }];
    if (other === undefined) return [{ field, result: "notHeld" }];
    return [{ field, result: comparisons[field](own, other, context) }];
  });
};

/** The registry does not have the person: one result for each value of the call. */
export const unknownPerson = (sent: CivilValues): readonly ComparedValue[] =>
  comparedFields
    .filter((field) => sent[field] !== undefined)
    .map((field) => ({ field, result: "unknownPerson" }));

const isNameField = (field: ComparedField): field is keyof NameResults =>
  field === "lastName" || field === "firstName";

/** Undefined where one side has no name at all. */
const compareNames = (
  sent: CivilValues,
  held: CivilValues,
  { nameOrder }: CountryRegistry,
): NameResults | undefined => {
  const hasName = ({ lastName, firstName }: CivilValues): boolean =>
    lastName !== undefined || firstName !== undefined;
  return hasName(sent) && hasName(held) ? comparePersonNames(sent, held, nameOrder) : undefined;
};

const compareNumbers: Compare = (own, other, { registry, day }) => {
  const [left, right] = [own, other].map((text) => judgeNumber(registry, text, day));
  if (left === undefined || right === undefined || "fault" in left || "fault" in right)
    return "notComparable";
  return left.canonical === right.canonical ? "agrees" : "different";
};

const comparisons: Readonly<Record<ComparedField, Compare>> = {
  documentNumber: compareNumbers,
  lastName: compareSurnames,
  firstName: compareGivenNames,
  dateOfBirth: (own, other, { day }) => compareBirthDates(own, other, day),
  gender: compareSexes,
  nationality: compareCountries,
  civilStatus: compareCivilStates,
  address: compareTexts,
  city: compareTexts,
  province: compareTexts,
  country: compareCountries,
  issueDate: compareDates,
  expiryDate: compareDates,
  spouseName: compareGivenNames,
  motherName: compareGivenNames,
  fatherName: compareGivenNames,
};

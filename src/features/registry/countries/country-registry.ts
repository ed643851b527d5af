import type { ComparedField } from "#contract/civil-code";
import type { FieldName } from "#judging/document/values/field-name";
import type { NumberName } from "#judging/document/values/numbers/number-rules";
import type { RegistryCountry } from "../registry.ts";

/** A kind of number that the registry of a country takes. */
export type TakenNumber = {
  readonly rule: NumberName;
  /** A form that the text must have too. If absent, only the rule decides. */
  readonly written?: RegExp;
};

/**
 * The fields of a document that hold the value of a field of the registry; the first that was read counts.
 */
export type DocumentSources = Readonly<Partial<Record<ComparedField, readonly FieldName[]>>>;

/** What is particular to the registry of one country. Data alone: {@link registryOf} finds it. */
export type CountryRegistry = {
  readonly country: RegistryCountry;
  /** The numbers under which it holds persons, in the order in which their rules are tried. */
  readonly numbers: readonly TakenNumber[];
  /** The rule that gives `documentCode` its canonical form. Absent: the registry takes no code. */
  readonly documentCode?: NumberName;
  /** Whether each question carries the code: one of another form is refused before it. */
  readonly requiresCode?: true;
  /** Whether the question carries the sex. */
  readonly takesGender: boolean;
  /** Whether the question of a face comparison carries the best image. */
  readonly takesBestImage: boolean;
  /** The order in which the country writes a name that is not parted into surnames and given names. */
  readonly nameOrder: "given-first" | "surnames-first";
  readonly sources: DocumentSources;
};

/** The fields that the documents of every country hold. */
export const commonSources = {
  documentNumber: ["documentNumber", "personalNumber"],
  lastName: ["lastName"],
  firstName: ["firstName"],
  dateOfBirth: ["dateOfBirth", "yearOfBirth"],
  gender: ["sex"],
  nationality: ["nationality"],
  country: ["issuer"],
  expiryDate: ["dateOfExpiry"],
} as const satisfies DocumentSources;

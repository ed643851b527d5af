import type { Affiliate } from "../client/entity.ts";
import type { VerifiedPerson } from "../issue-token.ts";

/** What the caller states about the affiliate. What is absent is taken from the document. */
export type StatedAffiliate = Partial<
  Record<"firstName" | "paternalSurname" | "maternalSurname" | "rut", string>
>;

/** The canonical RUT, as `12345678K`; undefined where its form or check character is wrong. */
export type ReadRut = (text: string) => string | undefined;

export type JudgedAffiliate =
  | { readonly affiliate: Affiliate }
  | { readonly missing: readonly (keyof StatedAffiliate)[] }
  | { readonly refused: "rut-invalid" | "rut-of-another" };

/**
 * The affiliate of a transfer: as stated, else as the document shows the person. A document with a RUT
 * decides whose transfer it is. Two surnames are separated only where the document has exactly two words:
 * particles and compound surnames are not guessed.
 */
export const judgeAffiliate = (
  stated: StatedAffiliate,
  person: VerifiedPerson,
  readRut: ReadRut,
): JudgedAffiliate => {
  const shown = rutOf(person, readRut);
  const named = stated.rut === undefined ? undefined : readRut(stated.rut);
  if (stated.rut !== undefined && named === undefined) return { refused: "rut-invalid" };
  if (named !== undefined && shown !== undefined && named !== shown) return { refused: "rut-of-another" };
  const [paternal, maternal, ...others] = (person.lastName ?? "").split(/\s+/u).filter(Boolean);
  const areTwo = maternal !== undefined && others.length === 0;
  const rut = named ?? shown;
  const found = {
    firstName: stated.firstName ?? person.firstName ?? undefined,
    paternalSurname: stated.paternalSurname ?? (areTwo ? paternal : undefined),
    maternalSurname: stated.maternalSurname ?? (areTwo ? maternal : undefined),
  };
  const { firstName, paternalSurname, maternalSurname } = found;
  if (
    firstName === undefined ||
    paternalSurname === undefined ||
    maternalSurname === undefined ||
    rut === undefined
  ) {
    const fields = { ...found, rut };
    const names = ["firstName", "paternalSurname", "maternalSurname", "rut"] as const;
    return { missing: names.filter((name) => fields[name] === undefined) };
  }
  const rutNumber = rut.slice(0, -1);
  return {
    affiliate: { firstName, paternalSurname, maternalSurname, rutNumber, rutCheck: rut.slice(-1) },
  };
};

/** The RUT on the document. Older cards print it as the document's own number. */
const rutOf = (
  { idNumber, documentNumber, documentCountry }: VerifiedPerson,
  readRut: ReadRut,
): string | undefined => {
  const own = idNumber === null ? undefined : readRut(idNumber);
  if (own !== undefined || documentCountry !== "CHL" || documentNumber === null) return own;
  return readRut(documentNumber);
};

/** Data of a passport's machine-readable zone (MRZ). Dates are six digits, YYMMDD. */
export type PassportHolder = {
  /** ICAO Doc 9303-3, 5: three letters. */
  readonly issuer: string;
  readonly nationality: string;
  readonly surname: string;
  readonly givenNames: string;
  readonly number: string;
  readonly birth: string;
  readonly sex: "M" | "F";
  readonly expiry: string;
};

/**
 * Check digit of ICAO Doc 9303-3, 4.9. Written separately from the reader's on purpose: a shared mistake
 * would pass every test that draws and then reads.
 */
export const checkDigitOf = (field: string): string => {
  const values = Array.from(field, (character) => (character === "<" ? 0 : Number.parseInt(character, 36)));
  const sum = values.reduce((total, value, index) => total + value * ([7, 3, 1][index % 3] ?? 0), 0);
  return String(sum % 10);
};

/** A field with its check digit behind it. */
export const withCheckDigit = (field: string): string => field + checkDigitOf(field);

/** The two lines of 44 characters of ICAO Doc 9303-4, 4.2.2, with an empty optional field. */
export const writePassportLines = (holder: PassportHolder): readonly [string, string] => {
  const name = `${transliterate(holder.surname)}<<${transliterate(holder.givenNames)}`;
  const upper = `P<${holder.issuer}${name}`.slice(0, 44).padEnd(44, "<");
  const number = holder.number.padEnd(9, "<");
  const optional = `${"<".repeat(14)}0`;
  const [document, birth, expiry] = [
    withCheckDigit(number),
    withCheckDigit(holder.birth),
    withCheckDigit(holder.expiry),
  ];
  const composite = checkDigitOf(document + birth + expiry + optional);
  const lower = `${document}${holder.nationality}${birth}${holder.sex}${expiry}${optional}${composite}`;
  return [upper, lower];
};

/**
 * Transliterates by ICAO Doc 9303-3, 6 for the letters of Spanish names; Ñ as N, as Latin American passports
 * print it.
 */
export const transliterate = (name: string): string =>
  name
    .toUpperCase()
    .normalize("NFD")
    .replaceAll(/\p{Diacritic}/gu, "")
    .replaceAll(/[' .]+/g, (mark) => (mark.includes("'") ? "" : "<"))
    .replaceAll("-", "<");

/** The same lines with a wrong check digit after the birth date, like a careless forgery. */
export const breakCheckDigit = ([upper, lower]: readonly [string, string]): readonly [string, string] => {
  const wrong = (Number(lower[19]) + 3) % 10;
  return [upper, `${lower.slice(0, 19)}${wrong}${lower.slice(20)}`];
};

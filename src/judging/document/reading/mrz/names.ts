/** Names of an MRZ: upper-case letters and single blanks, no marks (ICAO Doc 9303-3, 4.6). */
export type MrzNames = {
  /** Primary identifier: the surnames. */
  readonly primary: string;
  /** Secondary identifier: the given names; empty when the document has none. */
  readonly secondary: string;
  /** The field is full to its last letter: both names may be truncated (9303-5, 4.2.2.3). */
  readonly mayBeTruncated: boolean;
};

const plain = (text: string): string => text.split("<").filter(Boolean).join(" ");

/**
 * Splits a names field at its first `<<`. Some cards print `<<` inside the surnames, so compare with the
 * printed names.
 */
export const splitNames = (field: string): MrzNames => {
  const trimmed = field.replace(/^<+/, "");
  const cut = trimmed.indexOf("<<");
  return {
    primary: plain(cut < 0 ? trimmed : trimmed.slice(0, cut)),
    secondary: cut < 0 ? "" : plain(trimmed.slice(cut)),
    mayBeTruncated: field.length > 0 && !field.endsWith("<"),
  };
};

/** Names from two fields, as on the French identity card. */
export const joinNames = (surname: string, given: string): MrzNames => ({
  primary: plain(surname),
  secondary: plain(given),
  mayBeTruncated: !surname.endsWith("<") || !given.endsWith("<"),
});

import { isWithinEdits } from "./edit-distance.ts";
import { fold } from "./fold.ts";
import { asCapital, differencesOf } from "./look-alikes.ts";

/** Words that issuers print, stamp or punch on documents that no person holds. */
const words = [
  "SPECIMEN",
  "ESPECIMEN",
  "ESPECIME",
  "SPECIMENE",
  "MUESTRA",
  "AMOSTRA",
  "MUSTER",
  "MUSTERAUSWEIS",
  "MUSTERMANN",
  "MUSTERFRAU",
  "VOID",
  "CANCELLED",
  "CANCELED",
  "CANCELADO",
  "ANULADO",
  "ANULADA",
  "ANNULLATO",
  "FACSIMILE",
] as const;

/** Specimen words that are also names of people and towns. */
const namesToo = ["MODELO", "MODELLO", "SAMPLE", "MUSTER"] as const;

/** Words and names that are a part of a specimen word, or near enough to one to be taken for it. */
const otherWords = [
  "NUESTRA",
  "REGIMEN",
  "ESPECIE",
  "ESPECIA",
  "ANGELA",
  "USTER",
  "CANCELA",
  "ANCEL",
  "MOSTRA",
  "OSTRA",
  "SIMILE",
  "ODELL",
  "AMPLE",
] as const;

/** Words whose letters stand in this order in hardly any other word: more of them may be misread. */
const distinctive = ["SPECIMEN", "ESPECIMEN", "ESPECIME", "SPECIMENE"] as const;

/** A part is read where something covers the rest of the word. The number is our choice. */
const part = { lettersMin: 5, shareMin: 0.6 } as const;

/**
 * Letters from which one of them may be misread, of a part of a distinctive word too, and from which two of
 * a whole mark may be. The numbers are our choice.
 */
const lettersOfEdit = { whole: 8, part: 6, two: 7 } as const;

const bare = (text: string): string => fold(text).replaceAll(/[^A-Z]/g, "");

/** A digit of a mark is a letter that was misread: no word has digits. */
const bareMark = (text: string): string =>
  Array.from(fold(text), (character) => asCapital(character) ?? "").join("");

/** The specimen word that a whole line is, with at most one letter of a long word misread. */
export const specimenWordOf = (text: string): string | undefined => {
  const read = bare(text);
  return [...words, ...namesToo].find(
    (word) =>
      read === word ||
      (word.length >= lettersOfEdit.whole && read.length > part.lettersMin && isWithinEdits(read, word, 1)),
  );
};

/** Whether a specimen word may also be the name of a holder or of a town. */
export const isNameToo = (word: string): boolean => namesToo.some((name) => name === word);

/**
 * The specimen word of a mark across a side: the word itself, or a part of it where something covers the
 * rest. One letter may be misread as another that resembles it. Of a distinctive word more may be, and as any
 * letter: names and towns are one letter from MUSTER. Not for printed lines: more words are near to a part.
 */
export const specimenMarkOf = (text: string): string | undefined => {
  const read = bareMark(text);
  if (otherWords.some((word) => word === read || word === bare(text))) return undefined;
  return (
    specimenWordOf(read) ??
    [...words, ...namesToo].find((word) => partsOf(word).some((own) => isLike(read, own))) ??
    distinctive.find((word) => isMisreadWord(read, word))
  );
};

/** The part itself, or with one look-alike in a part that is long enough. */
const isLike = (read: string, own: string): boolean => {
  if (read === own) return true;
  if (read.length !== own.length || own.length < lettersOfEdit.part) return false;
  const { count, unexplained } = differencesOf(read, own);
  return count === 1 && unexplained === 0;
};

const isWithinEdit = (read: string, own: string): boolean =>
  Math.min(read.length, own.length) >= lettersOfEdit.part && isWithinEdits(read, own, 1);

/** The middle of the distinctive words, which no other word near them has: ESPECIE DE lacks it. */
const middle = /CIM|IMEN/;

const isMisreadWord = (read: string, word: string): boolean =>
  (read.length >= lettersOfEdit.two && middle.test(read) && isWithinEdits(read, word, 2)) ||
  partsOf(word).some((own) => isWithinEdit(read, own) || isMisread(read, own));

/** Each letter resembles its own, but for one at an end of the part: something may cover half of that one. */
const isMisread = (read: string, own: string): boolean => {
  if (read.length !== own.length) return false;
  const { count, unexplained } = differencesOf(read, own);
  const isAtEnd = read.slice(1) === own.slice(1) || read.slice(0, -1) === own.slice(0, -1);
  const isLong = own.length >= lettersOfEdit.whole;
  return (
    count <= (isLong ? lookAlikesMax.long : lookAlikesMax.short) &&
    (unexplained === 0 || (count === 1 && isAtEnd))
  );
};

/** Letters of a mark that others may stand for, of a part and of eight letters or more. Our choice. */
const lookAlikesMax = { short: 2, long: 3 } as const;

const partsOf = (word: string): readonly string[] => {
  const shortest = Math.max(part.lettersMin, Math.ceil(word.length * part.shareMin));
  const lengths = Array.from({ length: Math.max(0, word.length - shortest + 1) }, (_, i) => shortest + i);
  return lengths.flatMap((length) =>
    Array.from({ length: word.length - length + 1 }, (_, from) => word.slice(from, from + length)),
  );
};

/** A text in the characters of an MRZ; others are left out. */
export const mrzTextOf = (text: string): string => fold(text).replaceAll(/[^A-Z0-9<]/g, "");

/** Letters of a series and zeros: registers that count upwards start at one. */
const unissuedNumber = /^(?:[A-Z]{1,4}0{5,}|0{6,})[A-Z]{0,2}$/;

/**
 * Whether a name or a number states that it is invented: a specimen word within it, or no content at all.
 * Zeros, a series with zeros alone or one letter repeated are no content. Other repeated digits may be
 * genuine: registers that count upwards give them out.
 */
export const isSpecimenValue = (value: string): boolean => {
  const plain = fold(value).replaceAll(/[^A-Z0-9]/g, "");
  return (
    /SPECIM|^SPECI\d|MUESTRA|MUSTERMANN|MUSTERFRAU|ESPECIME|AMOSTRA/.test(plain) ||
    /^(?:([A-Z])\1{5,}|123456789|987654321)$/.test(plain) ||
    unissuedNumber.test(plain)
  );
};

/**
 * Letters that decompose into no mark, and their MRZ transliterations (ICAO Doc 9303-3, 6 A); the first form
 * is the usual one.
 */
const letterForms: Readonly<Record<string, readonly string[]>> = {
  Ä: ["A", "AE"],
  Å: ["A", "AA"],
  Æ: ["AE"],
  Ç: ["C"],
  Đ: ["D"],
  Ð: ["D"],
  Ə: ["E"],
  Ħ: ["H"],
  Ĳ: ["IJ"],
  ĸ: ["Q"],
  Ł: ["L"],
  Ñ: ["N", "NXX"],
  Ŋ: ["N"],
  Ö: ["O", "OE"],
  Ø: ["O", "OE"],
  Œ: ["OE"],
  ß: ["SS"],
  ẞ: ["SS"],
  Ŧ: ["T"],
  Þ: ["TH"],
  Ü: ["U", "UE", "UXX"],
};

const textLengthMax = 160;

const formsOf = (letter: string): readonly string[] =>
  letterForms[letter] ?? [letter.normalize("NFD").replaceAll(/\p{M}/gu, "")];

const lettersOf = (text: string): readonly string[] =>
  Array.from(text.slice(0, textLengthMax).normalize("NFC").toUpperCase());

/**
 * The parts of a name in upper case: blanks, hyphens and fillers separate them, apostrophes and dots are
 * removed (9303-3, 4.6). Marks stay.
 */
export const partsOf = (name: string): readonly string[] =>
  lettersOf(name)
    .join("")
    .replaceAll(/['’´`.]/g, "")
    .split(/[\s<\p{Pd}]+/u)
    .map((part) => part.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ""))
    .filter(Boolean);

/** The usual form of a part: no marks, and no letter outside A to Z if the MRZ has a form for it. */
export const plainForm = (part: string): string =>
  lettersOf(part)
    .map((letter) => formsOf(letter)[0])
    .join("");

/**
 * Whether `written` is a valid form of a part. After each letter it keeps every position that one of the
 * letter's forms reaches. A regular expression of alternatives would try each combination of forms, and
 * double its time with every Å.
 */
const isForm = (part: string, written: string): boolean => {
  let places: ReadonlySet<number> = new Set([0]);
  for (const letter of lettersOf(part)) {
    const forms = formsOf(letter);
    places = new Set(
      [...places].flatMap((from) =>
        forms.filter((form) => written.startsWith(form, from)).map((form) => from + form.length),
      ),
    );
  }
  return places.has(written.length);
};

/** Whether two parts are the same name, each in any form of its letters. */
export const areSameLetters = (a: string, b: string): boolean => {
  const [left, right] = [plainForm(a), plainForm(b)];
  return left === right || isForm(a, right) || isForm(b, left);
};

/** Whether `short` begins `long`, in any form of the letters of either. */
export const begins = (short: string, long: string): boolean => {
  if (plainForm(short).charAt(0) !== plainForm(long).charAt(0)) {
    return false;
  }
  const letters = lettersOf(long);
  return letters.some((_, i) => areSameLetters(short, letters.slice(0, i + 1).join("")));
};

const narrow = (part: string): string => plainForm(part).replaceAll(/(?<=[AOU])E|(?<=A)A|(?<=[NU])XX/g, "");

/** Whether two plain spellings can both stand for one marked letter: MUELLER and MULLER. */
export const couldBeOneLetter = (a: string, b: string): boolean => narrow(a) === narrow(b);

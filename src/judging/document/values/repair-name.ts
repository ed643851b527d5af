/** Letters whose capital and small forms differ only in size. */
const sizeOnly: ReadonlySet<string> = new Set("COSUVWXZKP");

const bare = (char: string): string => char.normalize("NFD")[0]!;

const isLetter = (char: string): boolean => /\p{L}/u.test(char);

const isLower = (char: string): boolean => isLetter(char) && char !== char.toUpperCase();

const isUpper = (char: string): boolean => isLetter(char) && char !== char.toLowerCase();

const isAmbiguous = (char: string): boolean => sizeOnly.has(bare(char).toUpperCase()) || /[Il]/.test(char);

const votes = (chars: readonly string[]): number =>
  chars.filter(isLower).length - chars.filter(isUpper).length;

/**
 * Whether a word continues in small letters: its unambiguous letters after the first decide, else all of
 * them.
 */
const goesOnSmall = (rest: readonly string[]): boolean => {
  const unambiguous = rest.filter((char) => isLetter(char) && !isAmbiguous(char));
  return votes(unambiguous) === 0 ? votes(rest) >= 0 : votes(unambiguous) > 0;
};

const settle = (char: string, small: boolean): string => {
  if (char === "I" || char === "l") {
    return small ? "l" : "I";
  }
  if (!isAmbiguous(char)) {
    return char;
  }
  return small ? char.toLowerCase() : char.toUpperCase();
};

/** Words of names in small letters whose first letter could be either case. */
const particles: ReadonlySet<string> = new Set([
  "von",
  "van",
  "vom",
  "zu",
  "zum",
  "zur",
  "op",
  "ou",
  "u",
  "ze",
]);

/**
 * Settles the first letter: names begin with a capital. No word of these languages begins with an l before
 * another consonant, so there the stroke is an I (Iván, Ignacio).
 */
const settleFirst = (first: string, rest: string): string => {
  if (first === "l") {
    return /^[bcdfghjkmnpqrstvwxz]/.test(rest.normalize("NFD")) ? "I" : first;
  }
  return sizeOnly.has(bare(first).toUpperCase()) && !particles.has(first + rest)
    ? first.toUpperCase()
    : first;
};

const repairWord = (word: string): string => {
  const [first, ...rest] = Array.from(word);
  if (first === undefined || rest.length === 0) {
    return word;
  }
  const small = goesOnSmall(rest);
  const settled = rest.map((char) => settle(char, small)).join("");
  return settleFirst(first, settled) + settled;
};

/** A word of capitals alone shows that the name is printed so. */
const capitalWordMin = 4;

const isCapitalWord = (word: string): boolean => {
  const letters = Array.from(word).filter(isLetter);
  return letters.length >= capitalWordMin && letters.every(isUpper);
};

/**
 * Beside a word of capitals, a word with capitals beyond its first letter is of capitals too: ROcíO GABRIELA.
 */
const withCapitals = (words: readonly string[]): readonly string[] =>
  words.some(isCapitalWord)
    ? words.map((word) => (Array.from(word).slice(1).some(isUpper) ? word.toUpperCase() : word))
    : words;

/** Replaces a digit beside a letter by a letter: a capital at the beginning of a word. */
const withoutFigures = (text: string): string =>
  text
    .replaceAll(/(?<![\p{L}\d])0(?=\p{L})/gu, "O")
    .replaceAll(/(?<![\p{L}\d])[1|](?=\p{L})/gu, "I")
    .replaceAll(/(?<=\p{L})0/gu, "o")
    .replaceAll(/(?<=\p{L})[1|]/gu, "l")
    .replaceAll(/(?<=\p{L})5(?=\p{L})/gu, "s");

/**
 * Repairs a printed name where a reader cannot decide. The case of letters that differ only in size (c o s u
 * v w x z k p) follows the other letters of their word, and is upper case at its beginning. The same
 * rule applies to I and l. Beside a word of capitals the others are not of mixed case. A 0, 1 or 5 inside a
 * word is a letter. Nothing else changes, and no name is guessed. Not for text whose digits have a meaning
 * (addresses, numbers).
 */
export const repairName = (text: string): string =>
  withCapitals(withoutFigures(text.normalize("NFC")).split(/([\s\-'’]+)/))
    .map(repairWord)
    .join("");

/** A word of another text keeps its first letter where the rest is small: 'con' begins with no capital. */
const repairTextWord = (word: string): string => {
  const [first = "", ...rest] = Array.from(word);
  if (rest.length === 0 || /\d/.test(word)) return word;
  const small = goesOnSmall(rest);
  return settle(first, small && isLower(first)) + rest.map((char) => settle(char, small)).join("");
};

/**
 * Repairs another printed text, such as a place or an address: the case of letters that differ only in size,
 * as in a name (CUScO). Words with a digit do not change. A hyphen with a blank on one side has one on both:
 * a reader may lose one.
 */
export const repairText = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(/(?<=\S)-(?= )/g, " -")
    .replaceAll(/(?<= )-(?=\S)/g, "- ")
    .split(/([\s\-'’/]+)/)
    .map(repairTextWord)
    .join("");

/** Letters whose capital differs from the small letter in size alone. */
const sizeOnly: ReadonlySet<string> = new Set("COSUVWXZKP");

const bare = (char: string): string => char.normalize("NFD")[0]!;

const isLetter = (char: string): boolean => /\p{L}/u.test(char);

const isLower = (char: string): boolean => isLetter(char) && char !== char.toUpperCase();

const isUpper = (char: string): boolean => isLetter(char) && char !== char.toLowerCase();

const isUnsure = (char: string): boolean => sizeOnly.has(bare(char).toUpperCase()) || /[Il]/.test(char);

const votes = (chars: readonly string[]): number =>
  chars.filter(isLower).length - chars.filter(isUpper).length;

/** Whether a word goes on in small letters: told by its sure letters behind the first, else by all of them. */
const goesOnSmall = (rest: readonly string[]): boolean => {
  const sure = rest.filter((char) => isLetter(char) && !isUnsure(char));
  return votes(sure) === 0 ? votes(rest) >= 0 : votes(sure) > 0;
};

const settle = (char: string, small: boolean): string => {
  if (char === "I" || char === "l") {
    return small ? "l" : "I";
  }
  if (!isUnsure(char)) {
    return char;
  }
  return small ? char.toLowerCase() : char.toUpperCase();
};

/** Words of names that are written small though their first letter could be either. */
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
 * Names begin with a capital. No word of these languages begins with an l before another consonant: the stroke is an I
 * (Iván, Ignacio).
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

/** A figure beside a letter is a letter: a capital at the beginning of a word. */
const withoutFigures = (text: string): string =>
  text
    .replaceAll(/(?<![\p{L}\d])0(?=\p{L})/gu, "O")
    .replaceAll(/(?<![\p{L}\d])[1|](?=\p{L})/gu, "I")
    .replaceAll(/(?<=\p{L})0/gu, "o")
    .replaceAll(/(?<=\p{L})[1|]/gu, "l")
    .replaceAll(/(?<=\p{L})5(?=\p{L})/gu, "s");

/**
 * A name as it was printed, with what a reader cannot see put right: the size of letters that differ in size alone (c o s
 * u v w x z k p) follows the other letters of their word, and is a capital's at its beginning; so do I and l; a 0, 1 or 5 inside a word is a letter. Nothing else is
 * changed, no name is guessed. For text whose figures mean something (addresses, numbers) it is the wrong treatment.
 */
export const repairName = (text: string): string =>
  withoutFigures(text.normalize("NFC"))
    .split(/([\s\-'’]+)/)
    .map(repairWord)
    .join("");

/** Longest text and most parts of a name that are compared: bounds for hostile texts. */
const textLengthMax = 200;
const partsMax = 24;

/** Letters that Unicode does not decompose into a letter and a mark. */
const plainLetters: Readonly<Record<string, string>> = {
  Æ: "AE",
  Œ: "OE",
  Ø: "O",
  Ł: "L",
  Đ: "D",
  Ð: "D",
  Þ: "TH",
  ẞ: "SS",
};

/** Digits that readers of documents take for letters: a name has none. */
const misread: Readonly<Record<string, string>> = { 0: "O", 1: "I", 5: "S", 8: "B" };

/**
 * Capitals without marks, as A to Z where the letter has such a form. `NXX` and `UXX` are Ñ and Ü of an MRZ.
 */
export const plainText = (text: string): string =>
  text
    .slice(0, textLengthMax)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .replaceAll(/[ÆŒØŁĐÐÞẞ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/([NU])XX/g, "$1");

/** The parts of a name: blanks, hyphens, dots, commas and fillers separate them; apostrophes join. */
export const partsOf = (name: string): readonly string[] =>
  plainText(name)
    .replaceAll(/['’‘´`]/g, "")
    .replaceAll(/[0158]/g, (digit) => misread[digit] ?? digit)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => /\p{L}/u.test(part))
    .slice(0, partsMax);

export const joined = (parts: readonly string[]): string => parts.join("");

/** Particles of Spanish names, and those of Italian and Portuguese names of the region. */
const particles: ReadonlySet<string> = new Set(
  "DE DEL LA LAS LO LOS EL Y E I DI DA DO DOS DAS DELLA".split(" "),
);

const widowWords: ReadonlySet<string> = new Set(["VIUDA", "VDA", "VD", "VIU"]);

/**
 * The parts that distinguish a name: all, where it has particles alone. A single letter of a longer name may
 * be an initial.
 */
export const withoutParticles = (parts: readonly string[]): readonly string[] => {
  const kept = parts.filter((part) => !particles.has(part) && !widowWords.has(part));
  return kept.length === 0 ? parts : kept;
};

/** Surnames without the name of a husband: `X de Y`, `X viuda de Y`. Undefined where they have none. */
export const withoutHusband = (parts: readonly string[]): readonly string[] | undefined => {
  const at = parts.findIndex(
    (part, i) =>
      i > 0 && i < parts.length - 1 && (part === "DE" || widowWords.has(part) || isWidowLetter(parts, i)),
  );
  return at < 0 ? undefined : parts.slice(0, at);
};

/** `V. de Y`. */
const isWidowLetter = (parts: readonly string[], at: number): boolean =>
  parts[at] === "V" && parts[at + 1] === "DE";

/** Usual abbreviations of given names. */
const abbreviations: Readonly<Record<string, string>> = {
  MA: "MARIA",
  FCO: "FRANCISCO",
  FCA: "FRANCISCA",
  GPE: "GUADALUPE",
  STA: "SANTA",
  STO: "SANTO",
  ANT: "ANTONIO",
  ALEJ: "ALEJANDRO",
  RGUEZ: "RODRIGUEZ",
  GLEZ: "GONZALEZ",
  HDEZ: "HERNANDEZ",
  FDEZ: "FERNANDEZ",
  MTNEZ: "MARTINEZ",
  SNCHZ: "SANCHEZ",
};

/** Whether one part is the initial of the other. */
export const isInitialOf = (a: string, b: string): boolean =>
  (a.length === 1 && b.startsWith(a)) || (b.length === 1 && a.startsWith(b));

/** Whether two parts can be one name: equal, an abbreviation, or an initial. */
export const canBeSame = (a: string, b: string): boolean =>
  a === b || abbreviations[a] === b || abbreviations[b] === a || isInitialOf(a, b);

/** What a reader takes for a digit, as the digit; capitals only, and only where a digit must stand. */
const digitOf: Readonly<Record<string, string>> = {
  O: "0",
  Q: "0",
  D: "0",
  U: "0",
  I: "1",
  L: "1",
  "|": "1",
  Z: "2",
  A: "4",
  S: "5",
  G: "6",
  T: "7",
  B: "8",
};

/** Small letters that look like another digit than their capitals. */
const smallDigitOf: Readonly<Record<string, string>> = { b: "6", g: "9", q: "9" };

const letterOf: Readonly<Record<string, string>> = {
  0: "O",
  1: "I",
  2: "Z",
  4: "A",
  5: "S",
  6: "G",
  7: "T",
  8: "B",
  "|": "I",
};

/** The digit that this character is or looks like. */
export const asDigit = (char: string): string | undefined =>
  /^\d$/.test(char) ? char : (smallDigitOf[char] ?? digitOf[char.toUpperCase()]);

/** The capital A to Z that this character is or looks like. */
export const asCapital = (char: string): string | undefined => {
  const capital = char.toUpperCase();
  return /^[A-Z]$/.test(capital) ? capital : letterOf[char];
};

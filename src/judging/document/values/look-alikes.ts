/**
 * Capitals and signs that readers confuse with a digit, the likeliest first: the look-alikes of OCR-B and
 * printed text.
 */
const likeDigit: readonly (readonly [digit: string, others: string])[] = [
  ["0", "OQDU"],
  ["1", "IL|"],
  ["2", "Z"],
  ["4", "A"],
  ["5", "S"],
  ["6", "G"],
  ["7", "T"],
  ["8", "B"],
];

/** Lower-case letters that look like another digit than their capitals. */
const smallDigitOf: Readonly<Record<string, string>> = { b: "6", g: "9", q: "9" };

const digitLike = (char: string): string | undefined =>
  likeDigit.find(([digit, others]) => digit === char || others.includes(char))?.[0];

/** The digit that this character is or resembles. */
export const asDigit = (char: string): string | undefined =>
  /^\d$/.test(char) ? char : (smallDigitOf[char] ?? digitLike(char.toUpperCase()));

/** The capital A to Z that this character is or resembles. */
export const asCapital = (char: string): string | undefined => {
  const capital = char.toUpperCase();
  if (/^[A-Z]$/.test(capital)) {
    return capital;
  }
  return likeDigit.find(([digit, others]) => digit === char || others.includes(char))?.[1][0];
};

/** Further pairs that our own line networks and two others confused in measurements. */
const mixedUp = new Set("1T 1J 1/ IT IJ LT 17 3B 38 89 9G EF MN UV VY CG BD BR CO KX PR".split(" "));

/** Whether two characters are so similar that a reader may confuse them. */
const areConfusable = (a: string, b: string): boolean => {
  const digit = digitLike(a);
  return (
    a === b || (digit !== undefined && digit === digitLike(b)) || mixedUp.has(a + b) || mixedUp.has(b + a)
  );
};

/**
 * Number of positions at which two texts of equal length differ, and how many of them no look-alike explains.
 */
export const differencesOf = (
  a: string,
  b: string,
): { readonly count: number; readonly unexplained: number } => {
  let [count, unexplained] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    count += a[i] === b[i] ? 0 : 1;
    unexplained += areConfusable(a[i]!, b[i] ?? "") ? 0 : 1;
  }
  return { count, unexplained };
};

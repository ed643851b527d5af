/**
 * Characters that readers take for each other: the look-alikes of OCR-B and print, and what our own line networks and two
 * others were seen to mix up (E/F, I/T, B/D, M/N).
 */
const pairs = new Set(
  "0O 0D 0Q DO OQ DQ 1I 1L 1T 1J 1/ IL IT IJ LT 17 7T 2Z 5S 6G 8B 3B 38 89 4A 9G EF MN UV VY CG BD BR CO KX PR".split(
    " ",
  ),
);

/** Whether two characters look alike enough that a reader may have taken one for the other. */
export const areConfusable = (a: string, b: string): boolean =>
  a === b || pairs.has(a + b) || pairs.has(b + a);

/** Places at which two texts of one length differ, and how many of them no look-alike explains. */
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

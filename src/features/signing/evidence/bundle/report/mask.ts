/** Names of fewer characters are hidden whole: their ends would give too much of them. */
const shownFrom = 8;

const segmenter = new Intl.Segmenter("es", { granularity: "grapheme" });

/** A name of a person for readers of a page: first and last character alone, and nothing of a short one. */
export const maskName = (name: string): string => {
  const characters = Array.from(segmenter.segment(name), ({ segment }) => segment);
  const [first = ""] = characters;
  const last = characters.at(-1) ?? "";
  return characters.length < shownFrom ? "•••" : `${first}•••${last}`;
};

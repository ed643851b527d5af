import { parseSync } from "rolldown/utils";

/** The place of a comment in a text: from its first mark to the character after its last. */
export type Place = { readonly start: number; readonly end: number };

/** The comments of a TypeScript file in the order of the text. Throws where the file has a syntax error. */
export const commentsOf = (file: string, text: string): readonly Place[] => {
  const { comments, errors } = parseSync(file, text, { lang: "ts" });
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  return comments;
};

/** Where the blanks before a comment begin. */
const indentBefore = (text: string, start: number): number => {
  let from = start;
  while (text[from - 1] === " " || text[from - 1] === "\t") from -= 1;
  return from;
};

/** Whether a comment has its lines to itself: no code stands before or behind it. */
export const isAlone = (text: string, { start, end }: Place): boolean => {
  const from = indentBefore(text, start);
  return (from === 0 || text[from - 1] === "\n") && (end >= text.length || text[end] === "\n");
};

/** What goes with a comment: its lines where it has them to itself, else the blanks before it. */
const removedWith = (text: string, place: Place): Place => ({
  start: indentBefore(text, place.start),
  end: isAlone(text, place) ? place.end + 1 : place.end,
});

/**
 * The code of a TypeScript file without its comments. Lines that hold only comments go with them, so two
 * files with the same code give the same text, however long their comments are. Strings and the layout of the
 * code stay as they are.
 */
export const codeOf = (file: string, text: string): string => {
  let code = "";
  let from = 0;
  for (const comment of commentsOf(file, text)) {
    const { start, end } = removedWith(text, comment);
    code += text.slice(from, start);
    from = end;
  }
  return code + text.slice(from);
};

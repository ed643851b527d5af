/** Words of a line. A link and a quotation of code are one word each, so that no line ends within them. */
const word = /(?:\{@[^}]*\}|`[^`]*`|\S)+/g;

/** What has another meaning at the beginning of a line: a mark of a list, table, heading, tag or comment. */
const mark = /^(?:[-–*+|#>]+$|\d+[.)]$|@|```|\/[/*]|(?:biome|oxlint|eslint)-)/;

/**
 * Text that stands as it is: lists, tables, headings, tags, quotations of code, directives, aligned or
 * indented text.
 */
const fixed = /^(?:\s|[-–*+#>]\s|\||\d+[.)]\s|@|```|(?:biome|oxlint|eslint)-|https?:\S+$)|\S {2,}\S/;

/** A list or a tag goes on in the lines below it, as far as the next empty line. */
const goesOn = /^(?:[-–*+]\s|\||\d+[.)]\s|@)/;

/** Words of a line; a word before a mark is one with it, so that no line begins with the mark. */
const unitsOf = (text: string): readonly string[] => {
  const units: string[] = [];
  for (const next of text.match(word) ?? []) {
    const last = units.at(-1);
    if (last !== undefined && mark.test(next)) units[units.length - 1] = `${last} ${next}`;
    else units.push(next);
  }
  return units;
};

/** Splits a line before the first word that does not fit. `rest` is empty where all words fit. */
const split = (text: string, columns: number): { readonly line: string; readonly rest: string } => {
  if (text.length <= columns) return { line: text, rest: "" };
  const [first = "", ...others] = unitsOf(text);
  let line = first;
  for (const [at, next] of others.entries()) {
    if (line.length + 1 + next.length > columns) return { line, rest: others.slice(at).join(" ") };
    line = `${line} ${next}`;
  }
  return { line, rest: "" };
};

/** Whether the author ended a paragraph with this line: its sentence ends long before the border. */
const endsParagraph = (line: string, columns: number): boolean =>
  /[.:;!?]["')`]*$/.test(line) && line.length < columns * 0.75;

/**
 * Wraps the lines of a comment, without their marks. Only what is too long moves: a line passes the words
 * that do not fit to the line below it, if both are of one paragraph. A line of one word that is too long
 * stays.
 */
export const wrapLines = (lines: readonly string[], columns: number): readonly string[] => {
  const wrapped: string[] = [];
  let rest = "";
  let isQuoted = false;
  let isListed = false;

  const put = (text: string): void => {
    const parts = split(text, columns);
    wrapped.push(parts.line);
    rest = parts.rest;
  };
  const putRest = (): void => {
    while (rest !== "") put(rest);
  };

  for (const line of lines) {
    const isFence = line.startsWith("```");
    isListed = line !== "" && (isListed || goesOn.test(line));
    if (isFence || isQuoted || isListed || line === "" || fixed.test(line)) {
      putRest();
      wrapped.push(line);
    } else {
      put(rest === "" ? line : `${rest} ${line}`);
      while (rest.length > columns) put(rest);
      if (endsParagraph(line, columns)) putRest();
    }
    if (isFence) isQuoted = !isQuoted;
  }
  putRest();
  return wrapped;
};

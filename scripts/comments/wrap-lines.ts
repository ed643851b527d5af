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

/** Splits a line into lines that fit. A word that is too long has a line of its own. */
const split = (text: string, columns: number): readonly string[] => {
  if (text.length <= columns) return [text];
  const lines: string[] = [];
  for (const next of unitsOf(text)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + next.length <= columns) {
      lines[lines.length - 1] = `${last} ${next}`;
    } else lines.push(next);
  }
  return lines;
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
  /** Words that go to the next line; empty where all fit. */
  let rest = "";
  let isQuoted = false;
  let isListed = false;

  const putRest = (): void => {
    if (rest !== "") wrapped.push(rest);
    rest = "";
  };

  for (const line of lines) {
    const isFence = line.startsWith("```");
    isListed = line !== "" && (isListed || goesOn.test(line));
    if (isFence || isQuoted || isListed || line === "" || fixed.test(line)) {
      putRest();
      wrapped.push(line);
    } else {
      const parts = split(rest === "" ? line : `${rest} ${line}`, columns);
      const own = Math.max(1, parts.length - 1);
      wrapped.push(...parts.slice(0, own));
      rest = parts[own] ?? "";
      if (endsParagraph(line, columns)) putRest();
    }
    if (isFence) isQuoted = !isQuoted;
  }
  putRest();
  return wrapped;
};

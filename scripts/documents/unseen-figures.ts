/** Pages whose percentages are of time, memory, mutants and kills: no other images would change them. */
const otherPages = ["mutation", "reliability", "signing", "speed", "store"].map(
  (name) => `docs/measurements/${name}.md`,
);

type Table = { readonly line: number; readonly rows: readonly (readonly string[])[] };

const cellsOf = (line: string): readonly string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** The tables of a document, each with the line of its heading. */
const tablesOf = (text: string): readonly Table[] => {
  const lines = text.split("\n");
  const isRow = (at: number): boolean => lines[at]?.startsWith("|") === true;
  const starts = lines.flatMap((_line, at) => (isRow(at) && !isRow(at - 1) ? [at] : []));
  return starts.map((start) => {
    const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
    const rows = lines.slice(start, length === -1 ? undefined : start + length);
    return { line: start + 1, rows: rows.map(cellsOf) };
  });
};

/** The fault of a table that has percentages and not a figure, or a word, for the unseen set in each row. */
const tableFault = ({ rows }: Table): string | undefined => {
  if (!rows.flat().some((cell) => cell.includes("%"))) return undefined;
  const [heading = [], , ...body] = rows;
  const place = heading.findIndex((cell) => cell.startsWith("unseen"));
  if (place === -1) return "has percentages and no column 'unseen'";
  return body.some((row) => !row[place]) ? "has a row without an entry in the column 'unseen'" : undefined;
};

/**
 * Faults of a page of measurements: a figure of accuracy stands beside that of a set that was never seen, or
 * the page states that none was measured.
 */
export const unseenFaults = (file: string, text: string): readonly string[] => {
  if (!file.startsWith("docs/measurements/") || otherPages.includes(file)) return [];
  return tablesOf(text).flatMap((table) => {
    const fault = tableFault(table);
    return fault === undefined ? [] : [`${file}:${table.line} a table ${fault}`];
  });
};

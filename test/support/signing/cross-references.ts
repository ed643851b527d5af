/**
 * Generated PDF files whose cross-reference holds one thing very often: each from a size and nothing else.
 */

const header = "%PDF-1.7\n";

const objects =
  "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n" +
  "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
  "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n";

const base = header + objects;

/** Rows of a cross-reference stream with the widths 1, 4 and 1, whose offsets differ. */
const rowsOf = (count: number): Buffer => {
  const rows = Buffer.alloc(6 * count);
  for (let row = 0; row < count; row++) {
    rows[6 * row] = 1;
    rows.writeUInt32BE(1 + row, 6 * row + 1);
  }
  return rows;
};

const withStream = (entries: string, rows: Uint8Array, before = ""): Buffer =>
  Buffer.concat([
    Buffer.from(`${base}${before}9 0 obj<</Type/XRef/W[1 4 1]${entries}/Size 9999999/Root 1 0 R`, "latin1"),
    Buffer.from(`/Length ${rows.length}>>stream\n`),
    rows,
    Buffer.from(`\nendstream endobj\nstartxref\n${base.length + before.length}\n%%EOF\n`),
  ]);

const withTable = (rows: string): Buffer =>
  Buffer.from(
    `${base}xref\n${rows}trailer<</Size 9999999/Root 1 0 R>>\nstartxref\n${base.length}\n%%EOF\n`,
    "latin1",
  );

const head = (section: number, previous: number): string =>
  `${10 + section} 0 obj<</Prev ${String(previous).padStart(9, "0")}%`;

/** Sections whose dictionaries begin in turn in one line of comments, and share all that follows it. */
const sharedDictionary = (sections: number, numbers: number): Buffer => {
  let at = base.length;
  const starts = Array.from({ length: sections }, (_, section) => {
    at += head(section, 0).length;
    return at - head(section, 0).length;
  });
  const heads = starts.map((_, section) => head(section, starts[section + 1] ?? 999_999_999)).join("");
  const rest = `\n/Type/XRef/W[1 1 1]/Index[${"0 ".repeat(numbers)}]/Size 9/Root 1 0 R/Length 3>>stream\n\0\0\0\nendstream endobj\n`;
  return Buffer.from(`${base}${heads}${rest}startxref\n${base.length}\n%%EOF\n`, "latin1");
};

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Files by what stands often in their cross-reference: as often as the number says. */
export const crossReferences: Readonly<Record<string, (count: number) => Buffer>> = {
  "subsections of a cross-reference stream": (count) =>
    withStream(
      `/Index[${range(count)
        .map((index) => `${2 * index} 1`)
        .join(" ")}]`,
      rowsOf(count),
    ),
  "subsections with one number": (count) => withStream(`/Index[${"5 1 ".repeat(count)}]`, rowsOf(count)),
  "rows of a cross-reference stream": (count) => withStream(`/Index[0 ${count}]`, rowsOf(count)),
  "rows of a table": (count) => withTable(`10 ${count}\n${"0 0 f ".repeat(count)}`),
  "subsections of a table": (count) => withTable("0 0 ".repeat(count)),
  "numbers beside a cross-reference": (count) => withStream(`/X[${"0 ".repeat(count)}]`, rowsOf(1)),
  "texts beside a cross-reference": (count) => withStream(`/X[${"()".repeat(count)}]`, rowsOf(1)),
  "hexadecimal texts beside a cross-reference": (count) => withStream(`/X[${"<>".repeat(count)}]`, rowsOf(1)),
  "arrays beside a cross-reference": (count) => withStream(`/X[${"[]".repeat(count)}]`, rowsOf(1)),
  "dictionaries beside a cross-reference": (count) => withStream(`/X[${"<<>>".repeat(count)}]`, rowsOf(1)),
  "keys beside a cross-reference": (count) =>
    withStream(
      `/X<<${range(count)
        .map((index) => `/${index} 0`)
        .join("")}>>`,
      rowsOf(1),
    ),
};

/** A file of sections that share one dictionary with as many numbers. */
export const sectionsInCommon = (count: number): Buffer => sharedDictionary(Math.ceil(count / 10), count);

/**
 * Generated PDF files in which one thing stands very often, or many things share one: each from a size and
 * nothing else.
 */
import { deflateSync } from "node:zlib";
import { crossReferences, sectionsInCommon } from "./cross-references.ts";

type Numbered = readonly (readonly [number: number, text: string])[];

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const object = (number: number, text: string): string => `${number} 0 obj\n${text}\nendobj\n`;

const basics: Numbered = [
  [1, "<</Type/Catalog/Pages 2 0 R>>"],
  [2, "<</Type/Pages/Count 1/Kids[3 0 R]>>"],
  [3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"],
];

/** A whole file of objects with one table. Later objects of a number replace the basic ones. */
const whole = (objects: Numbered, trailer = ""): Buffer => {
  const all = new Map([...basics, ...objects]);
  let text = "%PDF-1.7\n";
  const rows = [...all].map(([number, body]) => {
    const at = text.length;
    text += object(number, body);
    return `${number} 1\n${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const start = text.length;
  const size = Math.max(...all.keys()) + 1;
  return Buffer.from(
    `${text}xref\n${rows.join("")}trailer\n<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`,
    "latin1",
  );
};

/** A file without a cross-reference. */
const damaged = (body: string): Buffer =>
  Buffer.from(`%PDF-1.7\n${basics.map(([number, text]) => object(number, text)).join("")}${body}`, "latin1");

const tableRow = (offset: number): string => `${String(offset).padStart(10, "0")} 00000 n \n`;

/** A whole file with rows of a table for the given offsets, from object 100 on. */
const withRows = (body: string, offsets: readonly number[], catalog = ""): Buffer => {
  let text = "%PDF-1.7\n";
  const at = new Map<number, number>();
  for (const [number, one] of basics) {
    at.set(number, text.length);
    text += object(number, number === 1 ? one.replace(">>", `${catalog}>>`) : one);
  }
  const base = text.length;
  text += body;
  const start = text.length;
  const plain = [...at].map(([number, offset]) => `${number} 1\n${tableRow(offset)}`).join("");
  const rest = `100 ${offsets.length}\n${offsets.map((offset) => tableRow(base + offset)).join("")}`;
  const size = 100 + offsets.length;
  return Buffer.from(
    `${text}xref\n${plain}${rest}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    "latin1",
  );
};

/** Headers of objects that follow one another in a comment, before one long array that all of them hold. */
const sharedArray = (count: number, catalog = ""): Buffer => {
  const headers = range(count).map((index) => `${100 + index} 0 obj%`);
  let at = 0;
  const offsets = headers.map((header) => {
    at += header.length;
    return at - header.length;
  });
  return withRows(`${headers.join("")}\n[${"0 ".repeat(count * 10)}]\nendobj\n`, offsets, catalog);
};

const sections = (count: number): Buffer => {
  let file = whole([]).toString("latin1");
  let start = file.lastIndexOf("xref\n1 1");
  for (let index = 0; index < count; index++) {
    const former = start;
    start = file.length;
    file += `xref\n0 0\ntrailer\n<</Size 4/Root 1 0 R/Prev ${former}>>\nstartxref\n${start}\n%%EOF\n`;
  }
  return Buffer.from(file, "latin1");
};

const references = (from: number, count: number): string =>
  range(count)
    .map((index) => `${from + index} 0 R`)
    .join(" ");

/** Fields that share one array of widgets. */
const sharedKids = (count: number): Buffer =>
  whole([
    [1, "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields 10 0 R>>>>"],
    [10, `[${references(100, count)}]`],
    [11, `[${"12 0 R ".repeat(count)}]`],
    [12, "<</Subtype/Widget>>"],
    ...range(count).map((index): [number, string] => [100 + index, `<</T(f${index})/FT/Tx/Kids 11 0 R>>`]),
  ]);

/** Signature fields that name the same signature, of some kilobytes. */
const signatures = (count: number): Buffer =>
  whole([
    [1, "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields 10 0 R>>>>"],
    [10, `[${references(100, count)}]`],
    [12, `<</Type/Sig/ByteRange[0 9 99 9]/Contents<${"00".repeat(count * 20)}>>>`],
    ...range(count).map((index): [number, string] => [100 + index, `<</T(s${index})/FT/Sig/V 12 0 R>>`]),
  ]);

/** Fields with locks that share one list of names. */
const locks = (count: number): Buffer =>
  whole([
    [1, "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields 10 0 R>>>>"],
    [10, `[${references(100, count)}]`],
    [11, `[${"(name of a field) ".repeat(count)}]`],
    ...range(count).map((index): [number, string] => [
      100 + index,
      `<</T(s${index})/FT/Sig/Lock<</Action/Include/Fields 11 0 R>>>>`,
    ]),
  ]);

/** A long name above many fields. */
const longNames = (count: number): Buffer =>
  whole([
    [1, "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>"],
    [10, `<</T(${"n".repeat(count * 20)})/Kids[${references(100, count)}]>>`],
    ...range(count).map((index): [number, string] => [100 + index, `<</T(f${index})/FT/Sig>>`]),
  ]);

/** Pages that share one array of annotations. */
const sharedAnnotations = (count: number): Buffer =>
  whole([
    [2, `<</Type/Pages/Count ${count}/Kids[${references(100, count)}]>>`],
    [10, `[${"11 0 R ".repeat(count)}]`],
    [11, "<</Subtype/Link>>"],
    ...range(count).map((index): [number, string] => [
      100 + index,
      "<</Type/Page/Parent 2 0 R/Annots 10 0 R>>",
    ]),
  ]);

/** A row of a cross-reference stream with the widths 1, 4 and 4. */
const streamRow = (kind: number, a: number, b: number): Buffer => {
  const bytes = Buffer.alloc(9);
  bytes[0] = kind;
  bytes.writeUInt32BE(a, 1);
  bytes.writeUInt32BE(b, 5);
  return bytes;
};

/** An object stream whose objects all begin where one long array does. */
const sharedInside = (count: number): Buffer => {
  const head = range(count)
    .map((index) => `${100 + index} 0`)
    .join(" ");
  const data = deflateSync(`${head} [${"0 ".repeat(count * 10)}]`);
  const stream = `<</Type/ObjStm/N ${count}/First ${head.length + 1}/Filter/FlateDecode/Length ${data.length}>>\nstream\n${data.toString("latin1")}\nendstream`;
  let text = "%PDF-1.7\n";
  const at: number[] = [];
  for (const [number, one] of [...basics, [4, stream] as const]) {
    at.push(text.length);
    text += object(
      number,
      number === 2 ? `<</Type/Pages/Count 1/Kids[3 0 R ${references(100, count)}]>>` : one,
    );
  }
  const start = text.length;
  const rows = Buffer.concat([
    ...at.map((offset) => streamRow(1, offset, 0)),
    streamRow(1, start, 0),
    ...range(count).map((index) => streamRow(2, 4, index)),
  ]);
  const dictionary = `<</Type/XRef/Size ${100 + count}/Root 1 0 R/W[1 4 4]/Index[1 5 100 ${count}]/Length ${rows.length}>>`;
  return Buffer.from(
    `${text}5 0 obj\n${dictionary}\nstream\n${rows.toString("latin1")}\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`,
    "latin1",
  );
};

/** Object streams that end in one another: each inflates the tail of the file. */
const sharedTail = (count: number): Buffer =>
  damaged(
    range(count)
      .map((index) =>
        object(
          100 + index,
          "<</Type/ObjStm/N 1/First 9/Filter/FlateDecode/Length 99999999>>\nstream\nx\nendstream",
        ),
      )
      .join(""),
  );

/** An empty deflated stream of many empty blocks: it inflates to nothing. */
const emptyBlocks = (count: number): Buffer => {
  const data = Buffer.concat([
    Buffer.of(0x78, 0x01),
    ...range(count * 20).map(() => Buffer.of(0, 0, 0, 255, 255)),
  ]);
  const streams = range(count).map(
    (index) =>
      `${100 + index} 0 obj<</Type/ObjStm/N 1/First 9/Filter/FlateDecode/Length 9>>stream\n${index}\nendstream\n`,
  );
  return damaged(`${streams.join("")}${object(99, `<<>>\nstream\n${data.toString("latin1")}\nendstream`)}`);
};

/** Files by what stands often in them. */
export const adversarial: Readonly<Record<string, (count: number) => Buffer>> = {
  ...crossReferences,
  "sections with one dictionary in common": sectionsInCommon,
  "objects without a cross-reference": (count) =>
    damaged(
      range(count)
        .map((index) => object(100 + index, "1"))
        .join(""),
    ),
  "dictionaries without an end": (count) => damaged(`1 0 obj<</A(`.repeat(count)),
  "dictionaries in strings of dictionaries": (count) =>
    damaged(`1 0 obj<</A(`.repeat(count) + ")>>".repeat(count)),
  "keywords of streams without an end": (count) => damaged("1 0 obj<<>>stream\n".repeat(count)),
  "ends of objects": (count) => damaged("endobj ".repeat(count)),
  comments: (count) => damaged("1 0 obj%".repeat(count)),
  "white space": (count) => damaged(`1 0 obj${" ".repeat(50)}`.repeat(count)),
  trailers: (count) => damaged(`trailer<</A(`.repeat(count)),
  "trailers without a dictionary": (count) => damaged("trailer".repeat(count * 50)),
  "compressed streams with an unknown filter": (count) =>
    damaged(
      range(count * 10)
        .map((index) => `${100 + index} 0 obj<</Type/ObjStm/N 1/First 1/Filter/X>>stream\nx\nendstream\n`)
        .join(""),
    ),
  "nodes of pages that are damaged": (count) =>
    whole([
      [2, `<</Type/Pages/Count ${count * 5}/Kids[${references(100, count * 5)}]>>`],
      ...range(count * 5).map((index): [number, string] => [100 + index, "1"]),
    ]),
  "catalogues and sections": (count) =>
    damaged(
      range(count)
        .map((index) =>
          object(100 + index, index % 2 === 0 ? "<</Type/Catalog>>" : `<</Type/XRef/Root ${index} 0 R>>`),
        )
        .join(""),
    ),
  "compressed streams that are damaged": sharedTail,
  "empty blocks of a compressed stream": emptyBlocks,
  "offsets into white space": (count) =>
    withRows(`${" ".repeat(count * 20)}9 0 obj 1 endobj\n`, range(count)),
  "objects with one array in common": (count) => sharedArray(count),
  "streams with one length in common": (count) =>
    whole([
      [10, `[${"0 ".repeat(count * 10)}]`],
      ...range(count).map((index): [number, string] => [
        100 + index,
        "<</Length 10 0 R>>\nstream\nx\nendstream",
      ]),
    ]),
  "objects of a stream with one array in common": sharedInside,
  "sections of the cross-reference": sections,
  pages: (count) =>
    whole([
      [2, `<</Type/Pages/Count ${count}/Kids[${references(100, count)}]>>`],
      ...range(count).map((index): [number, string] => [100 + index, "<</Type/Page/Parent 2 0 R>>"]),
    ]),
  "pages with one list of annotations": sharedAnnotations,
  "fields with one list of widgets": sharedKids,
  "fields with one signature": signatures,
  "locks with one list of names": locks,
  "fields below a long name": longNames,
  brackets: (count) => whole([[10, "[".repeat(count) + "]".repeat(count)]]),
  "bytes of a string": (count) => whole([[10, `(${"(".repeat(count)}${")".repeat(count)})`]]),
  "names that lead to themselves": (count) =>
    whole([
      [1, "<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles 10 0 R>>>>"],
      [10, `<</Kids[${"10 0 R ".repeat(count)}]>>`],
    ]),
};

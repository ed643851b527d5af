import { bufferOf } from "./bytes.ts";
import type { Xref, XrefEntry } from "./xref.ts";

/** Runs of consecutive numbers as the pairs of `Index`. */
export const indexPairs = (numbers: readonly number[]): readonly number[] => {
  const pairs: number[] = [];
  numbers.forEach((number, at) => {
    if (at > 0 && numbers[at - 1] === number - 1) pairs[pairs.length - 1]!++;
    else pairs.push(number, 1);
  });
  return pairs;
};

const writeRow = (rows: Buffer, at: number, entry: XrefEntry): void => {
  if (entry.kind === "free") return;
  rows[at] = entry.kind === "plain" ? 1 : 2;
  rows.writeUIntBE(entry.kind === "plain" ? entry.offset : entry.stream, at + 1, 6);
  rows.writeUInt16BE(Math.min(entry.kind === "plain" ? entry.generation : entry.index, 0xffff), at + 7);
};

/** A cross-reference stream without `Prev` that stands at `at` and holds every entry: one section for the whole file. */
export const wholeXrefStream = (
  xref: Pick<Xref, "entries" | "trailer" | "size">,
  at: number,
): readonly Buffer[] => {
  const inUse = [...xref.entries].filter(([, entry]) => entry.kind !== "free").sort(([a], [b]) => a - b);
  const own: XrefEntry = { kind: "plain", offset: at, generation: 0 };
  const list: readonly (readonly [number, XrefEntry])[] = [...inUse, [xref.size, own]];
  const rows = Buffer.alloc(list.length * 9);
  list.forEach(([, entry], row) => writeRow(rows, row * 9, entry));
  const kept = ["Root", "Info", "ID", "Encrypt"]
    .filter((key) => xref.trailer.has(key))
    .map((key) => `/${key} ${xref.trailer.get(key)}`);
  const index = indexPairs(list.map(([number]) => number)).join(" ");
  const head =
    `${xref.size} 0 obj\n<</Type/XRef/Size ${xref.size + 1}/W[1 6 2]/Index[${index}] ${kept.join(" ")} ` +
    `/Length ${rows.length}>>\nstream\n`;
  return [
    Buffer.from(head, "latin1"),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`, "latin1"),
  ];
};

/**
 * The file with one self-contained section after it, so that a parser sees exactly the object versions of `xref`:
 * @libpdf/core 0.4.2 by itself lets an older hybrid stream win over a newer table.
 */
export const flatten = (bytes: Uint8Array, xref: Xref): Buffer =>
  Buffer.concat([bufferOf(bytes), Buffer.from("\n"), ...wholeXrefStream(xref, bytes.length + 1)]);

import type { Entries } from "./reader/pdf-value.ts";
import type { Place } from "./reader/read-sections.ts";
import { sourceText } from "./serialise.ts";

/** Runs of consecutive numbers as the pairs of `Index`. */
export const indexPairs = (numbers: readonly number[]): readonly number[] => {
  const pairs: number[] = [];
  numbers.forEach((number, at) => {
    if (at > 0 && numbers[at - 1] === number - 1) pairs[pairs.length - 1]!++;
    else pairs.push(number, 1);
  });
  return pairs;
};

const writeRow = (rows: Buffer, at: number, place: Place): void => {
  if (place.kind === "free") return;
  rows[at] = place.kind === "offset" ? 1 : 2;
  rows.writeUIntBE(place.kind === "offset" ? place.at : place.container, at + 1, 6);
  rows.writeUInt16BE(Math.min(place.kind === "offset" ? place.generation : place.index, 0xffff), at + 7);
};

/**
 * A cross-reference stream without `Prev` that stands at `at` and holds every entry: one section for the
 * whole file.
 */
export const wholeSection = (
  whole: { readonly places: ReadonlyMap<number, Place>; readonly trailer: Entries; readonly size: number },
  at: number,
): readonly Buffer[] => {
  const inUse = [...whole.places].filter(([, place]) => place.kind !== "free").sort(([a], [b]) => a - b);
  const own: Place = { kind: "offset", at, generation: 0 };
  const list: readonly (readonly [number, Place])[] = [...inUse, [whole.size, own]];
  const rows = Buffer.alloc(list.length * 9);
  list.forEach(([, place], row) => writeRow(rows, row * 9, place));
  const kept = [...whole.trailer].map(([key, value]) => `/${key} ${sourceText(value)}`);
  const index = indexPairs(list.map(([number]) => number)).join(" ");
  const head =
    `${whole.size} 0 obj\n<</Type/XRef/Size ${whole.size + 1}/W[1 6 2]/Index[${index}] ${kept.join(" ")} ` +
    `/Length ${rows.length}>>\nstream\n`;
  return [
    Buffer.from(head, "latin1"),
    rows,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`, "latin1"),
  ];
};

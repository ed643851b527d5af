import { plainName } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import { type Containers, offsetsIn } from "./measure-objects.ts";
import { type Steps, tryRead } from "./steps.ts";
import { readTokens, referenceNumber } from "./tokens.ts";
import type { Xref } from "./xref.ts";
import { readStreamStart } from "./xref-stream.ts";

/** The tree of pages has more nodes than allowed. The parser walks all of them before it can be asked for their number. */
export class PagesTooMany extends Error {
  override readonly name = "PagesTooMany";
  readonly nodes: number;

  constructor(nodes: number) {
    super("the file has too many pages");
    this.nodes = nodes;
  }
}

/** The entries of an object's dictionary, each as its source text; undefined for another object. */
export type ReadEntries = (number: number) => ReadonlyMap<string, string> | undefined;

/** Longest node of the tree: some 100,000 pages. */
const nodeBytesMax = 1 << 20;

/** Reads objects of a file whose object streams are decoded. */
export const makeReadEntries = (
  bytes: Uint8Array,
  xref: Xref,
  containers: Containers,
  steps: Steps,
): ReadEntries => {
  const offsets = new Map<number, readonly number[]>();
  const offsetOf = (stream: number, index: number): number | undefined => {
    const container = containers.get(stream);
    if (container === undefined) return undefined;
    const known = offsets.get(stream) ?? offsetsIn(container, steps);
    offsets.set(stream, known);
    return known[index];
  };
  return (number) => {
    const entry = xref.entries.get(number);
    if (entry?.kind === "plain")
      return tryRead(steps, DamagedPdf, () => readStreamStart(bytes, entry.offset, steps).dictionary);
    if (entry?.kind !== "compressed") return undefined;
    const [container, offset] = [containers.get(entry.stream), offsetOf(entry.stream, entry.index)];
    if (container === undefined || offset === undefined) return undefined;
    const at = container.first + offset;
    return tryRead(steps, DamagedPdf, readTokens(container.data, at, nodeBytesMax, steps).dictionary);
  };
};

/** The value of a key, which may be written with escapes. */
const valueOf = (entries: ReadonlyMap<string, string> | undefined, key: string): string | undefined => {
  const found = [...(entries ?? [])].findLast(([name]) => plainName(name) === key);
  return found?.[1];
};

/** Throws PagesTooMany for a tree with more nodes than `nodesMax`, and TooManySteps. */
export const checkPageTree = (read: ReadEntries, root: number | undefined, nodesMax: number): void => {
  const seen = new Set<number>();
  const open = [referenceNumber(valueOf(root === undefined ? undefined : read(root), "Pages"))];
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    if (seen.has(number)) continue;
    seen.add(number);
    if (seen.size > nodesMax) throw new PagesTooMany(seen.size);
    const kids = valueOf(read(number), "Kids") ?? "";
    for (const [, kid] of kids.matchAll(/(\d{1,10})\s+\d{1,10}\s+R/g)) open.push(Number(kid));
  }
};

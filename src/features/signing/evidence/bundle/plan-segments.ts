import type { Segment } from "./content.ts";

/**
 * Most links of a bundle: our choice. A link has some 400 bytes, so that they make 4 MB, which a verifier
 * reads in less than a second.
 */
export const linksMax = 10_000;

/** Positions from one to another, both included, and how far they lead. */
export type PlannedSegment = {
  readonly from: number;
  readonly through: number;
  readonly end: Segment["end"];
};

/** What the plan rests on. All positions ascend. */
export type ChainPlaces = {
  /** Entries of the operation. */
  readonly own: readonly number[];
  readonly anchors: readonly number[];
  readonly head: number;
};

/**
 * The links that a bundle holds. All from the first entry of the operation to the head of the chain, where
 * they are few enough. Else those to the first anchor after its last entry. Else of each entry those to the
 * next anchor, and the entry alone where that is too far.
 */
export const planSegments = (
  { own, anchors, head }: ChainPlaces,
  most: number = linksMax,
): readonly PlannedSegment[] => {
  const [from] = own;
  const last = own.at(-1);
  if (from === undefined || last === undefined) return [];
  if (head - from < most) return [{ from, through: head, end: "head" }];
  const anchor = anchors.find((seq) => seq >= last);
  if (anchor !== undefined && anchor - from < most) return [{ from, through: anchor, end: "anchor" }];
  return planEach(own, anchors, most);
};

const planEach = (
  own: readonly number[],
  anchors: readonly number[],
  most: number,
): readonly PlannedSegment[] => {
  const planned: PlannedSegment[] = [];
  // Each entry of the operation has a place, so that no entry is left out for the path of another.
  let left = most - own.length;
  for (const seq of own) {
    const before = planned.at(-1);
    if (before !== undefined && seq <= before.through) continue;
    const anchor = anchors.find((at) => at >= seq);
    const isNear = anchor !== undefined && anchor - seq <= left;
    if (isNear) left -= anchor - seq;
    planned.push(
      isNear ? { from: seq, through: anchor, end: "anchor" } : { from: seq, through: seq, end: "entry" },
    );
  }
  return planned;
};

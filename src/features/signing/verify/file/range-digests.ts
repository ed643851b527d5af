import { createHash, type Hash } from "node:crypto";
import type { Digest } from "../cms/check-signer.ts";
import type { Range } from "./judge-byte-range.ts";

/**
 * Hashes what the signatures of one file cover. They begin with the same bytes: a hash goes on from where the
 * last one of its function had the gap, so that a large file is read once.
 */
export const makeRangeDigests = (bytes: Uint8Array): ((range: Range) => Digest) => {
  const former = new Map<string, { readonly end: number; readonly hash: Hash }>();
  const hashStart = (name: string, end: number): Hash => {
    const last = former.get(name);
    const from = last !== undefined && last.end <= end ? last : { end: 0, hash: createHash(name) };
    const hash = from.hash.copy().update(bytes.subarray(from.end, end));
    former.set(name, { end, hash });
    return hash.copy();
  };
  return ({ gapStart, gapEnd, end }) =>
    (name) =>
      hashStart(name, gapStart).update(bytes.subarray(gapEnd, end)).digest();
};

import { createHash, type Hash } from "node:crypto";
import type { HashName } from "#trust/revocation/ports";
import { type Reservation, reservedByteRange } from "./serialise.ts";
import { ContentsTooSmall, type Reserved } from "./types.ts";

/** Gives the hash state of the bytes before a revision. */
export type HashBefore = (hash: HashName, revisions: readonly Uint8Array[]) => Hash;

/**
 * The state over the original is computed once for each hash function and copied for every later revision.
 */
export const makeHashBefore = (original: Uint8Array): HashBefore => {
  const states = new Map<HashName, Hash>();
  return (name, revisions) => {
    const state = states.get(name) ?? createHash(name).update(original);
    states.set(name, state);
    const copy = state.copy();
    for (const revision of revisions) copy.update(revision);
    return copy;
  };
};

/** Writes `ByteRange` into a serialised revision and offers its digest and the place of its contents. */
export const reserve = (
  place: {
    readonly revision: Buffer;
    /** Offset of the revision in the file. */
    readonly base: number;
    readonly reservation: Reservation;
    readonly fieldName: string;
  },
  hashBefore: (hash: HashName) => Hash,
): Reserved => {
  const { revision, base, reservation } = place;
  const from = reservation.contentsAt;
  const to = from + 2 + reservation.reservedBytes * 2;
  const range = `[0 ${from} ${to} ${base + revision.length - to}]`;
  if (range.length > reservedByteRange.length) throw new Error("the byte range does not fit");
  revision.write(range.padEnd(reservedByteRange.length, " "), reservation.byteRangeAt - base, "latin1");
  return {
    fieldName: place.fieldName,
    digest: (hash) =>
      hashBefore(hash)
        .update(revision.subarray(0, from - base))
        .update(revision.subarray(to - base))
        .digest(),
    place: (cms) => {
      if (cms.length > reservation.reservedBytes)
        throw new ContentsTooSmall(cms.length, reservation.reservedBytes);
      revision.write(Buffer.from(cms).toString("hex"), from - base + 1, "latin1");
      return Buffer.concat([cms, Buffer.alloc(reservation.reservedBytes - cms.length)]);
    },
  };
};

import { segmentRows } from "./segments.ts";
import { makeSlots, type Slots } from "./slots.ts";

const idBytes = 16;

/**
 * Maps ids (UUIDs) to places: the 16 bytes of each id, and a hash table over them. A million ids as strings
 * in a Map would take as much memory as a tenth of their vectors; these take 24 to 32 bytes each. Made by
 * {@link makePlaces}.
 */
export type Places = {
  readonly size: () => number;
  readonly find: (id: string) => number | undefined;
  /** Adds a new id and returns its place, after the last one. */
  readonly add: (id: string) => number;
  /** Removes the id at a place. The last id moves there. */
  readonly remove: (place: number) => void;
  readonly idAt: (place: number) => string;
  readonly clear: () => void;
};

export const makePlaces = (): Places => {
  let ids = Buffer.alloc(0);
  let size = 0;
  const bytesAt = (place: number): Buffer => ids.subarray(at(place), at(place + 1));
  const slotsOf = (): Slots => makeSlots((place) => hashOf(bytesAt(place)));
  let slots = slotsOf();

  return {
    size: () => size,
    find: (id) => {
      const bytes = bytesOf(id);
      return slots.find(hashOf(bytes), (place) => bytes.compare(ids, at(place), at(place + 1)) === 0);
    },
    add: (id) => {
      if (at(size) === ids.length) {
        ids = Buffer.concat([ids, Buffer.alloc(at(Math.max(segmentRows, size >> 3)))]);
      }
      const bytes = bytesOf(id);
      bytes.copy(ids, at(size));
      slots.add(hashOf(bytes), size);
      size += 1;
      return size - 1;
    },
    remove: (place) => {
      const last = size - 1;
      slots.remove(hashOf(bytesAt(place)), place);
      if (place !== last) {
        slots.rename(hashOf(bytesAt(last)), last, place);
        ids.copyWithin(at(place), at(last), at(last + 1));
      }
      bytesAt(last).fill(0);
      size = last;
    },
    idAt: (place) => uuidOf(bytesAt(place)),
    clear: () => {
      ids = Buffer.alloc(0);
      slots = slotsOf();
      size = 0;
    },
  };
};

/** The last four bytes of an id are random in every UUID version. */
const hashOf = (bytes: Buffer): number => bytes.readUInt32BE(idBytes - 4);

const at = (place: number): number => place * idBytes;

const bytesOf = (id: string): Buffer => {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  if (bytes.length !== idBytes) {
    throw new Error("The id of a gallery face must be a UUID");
  }
  return bytes;
};

const uuidOf = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

import { segmentRows } from "./segments.ts";
import { makeSlots, type Slots } from "./slots.ts";

const idBytes = 16;

/**
 * Where the face of an id is: ids (UUIDs) as their 16 bytes, and a table over them. A million ids as
 * strings in a Map would take as much memory as a tenth of their vectors; these take 24 to 32 bytes.
 */
export type Places = {
  readonly size: () => number;
  readonly find: (id: string) => number | undefined;
  /** The place of an id that is not there yet: behind the last. */
  readonly add: (id: string) => number;
  /** Takes the id at a place away. Another, the last, moves there. */
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

/** Ids are random in their last four bytes, whichever version they are. */
const hashOf = (bytes: Buffer): number => bytes.readUInt32BE(idBytes - 4);

const at = (place: number): number => place * idBytes;

const bytesOf = (id: string): Buffer => {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  if (bytes.length !== idBytes) {
    throw new Error("Only UUIDs name faces of a gallery");
  }
  return bytes;
};

const uuidOf = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/**
 * Finds places by the hash of their content: open addressing with linear probing, where a removal closes the
 * gap (Knuth, The Art of Computer Programming 3, 6.4, algorithms L and R). 8 bytes per place. Made by
 * {@link makeSlots}.
 */
export type Slots = {
  readonly find: (hash: number, isIt: (place: number) => boolean) => number | undefined;
  readonly add: (hash: number, place: number) => void;
  readonly remove: (hash: number, place: number) => void;
  readonly rename: (hash: number, from: number, to: number) => void;
};

const slotsFirst = 64;

/** `hashOf` returns the hash of the content at an added place. A slot holds its place plus one; 0 is free. */
export const makeSlots = (hashOf: (place: number) => number): Slots => {
  let slots = new Uint32Array(slotsFirst);
  let used = 0;
  const homeOf = (hash: number): number => hash & (slots.length - 1);
  const next = (slot: number): number => (slot + 1) & (slots.length - 1);

  const seek = (hash: number, isIt: (place: number) => boolean): number => {
    let slot = homeOf(hash);
    while (slots[slot] !== 0 && !isIt(slots[slot]! - 1)) {
      slot = next(slot);
    }
    return slot;
  };
  const insert = (hash: number, place: number): void => {
    slots[seek(hash, () => false)] = place + 1;
  };
  const grow = (): void => {
    const places = slots.filter((value) => value !== 0).map((value) => value - 1);
    slots = new Uint32Array(2 * slots.length);
    places.forEach((place) => insert(hashOf(place), place));
  };
  const free = (from: number): void => {
    let gap = from;
    slots[gap] = 0;
    for (let slot = next(gap); slots[slot] !== 0; slot = next(slot)) {
      if (isBefore(homeOf(hashOf(slots[slot]! - 1)), gap, slot)) {
        slots[gap] = slots[slot]!;
        slots[slot] = 0;
        gap = slot;
      }
    }
  };

  return {
    find: (hash, isIt) => {
      const value = slots[seek(hash, isIt)]!;
      return value === 0 ? undefined : value - 1;
    },
    add: (hash, place) => {
      used += 1;
      if (2 * used > slots.length) grow();
      insert(hash, place);
    },
    remove: (hash, place) => {
      used -= 1;
      free(seek(hash, (one) => one === place));
    },
    rename: (hash, from, to) => {
      slots[seek(hash, (one) => one === from)] = to + 1;
    },
  };
};

/**
 * True if the content of `slot` belongs at the gap or before it: its home is not among the slots after the
 * gap.
 */
const isBefore = (home: number, gap: number, slot: number): boolean =>
  gap <= slot ? home <= gap || slot < home : home <= gap && slot < home;

import { freeMemory } from "#contract/free-memory";
import type { PixelMemory } from "./pixel-memory.ts";

type Pixels = Uint8Array | Float32Array;

type Task<Input, Result> = (input: Input) => Promise<Result>;

/** An array begins at a multiple of a cache line. */
const alignment = 64;

/** Places in one block, from its start on. */
const makeBlock = (bytes: number) => {
  const buffer = new ArrayBuffer(bytes);
  let used = 0;
  const hasPlace = (wanted: number): boolean => used + wanted <= bytes;
  return {
    buffer,
    hasPlace,
    /** The first of that many free bytes; undefined where the block has fewer. */
    place: (wanted: number): number | undefined => {
      if (!hasPlace(wanted)) return undefined;
      const first = used;
      used = Math.min(bytes, first + Math.ceil(wanted / alignment) * alignment);
      return first;
    },
    clear: (): void => {
      new Uint8Array(buffer, 0, used).fill(0);
      used = 0;
    },
  };
};

/**
 * The memory of a thread that runs one task at a time. One block of `blockBytes` serves all its tasks; the system provides the pages of
 * the block when they are first used. An array without a place in it has memory of its own, which is freed when the task ends. Left to
 * the garbage collector, eight megabytes of arrays start a collection of the whole heap: seven in a document reading, a fifth of its
 * processor time (docs/measurements/speed.md).
 *
 * `freeing` wraps a task. No array of this memory may be in the result of a task or be kept for a later one: it is empty or zero then.
 */
export const makeTaskMemory = (blockBytes: number) => {
  const block = makeBlock(blockBytes);
  const others: Pixels[] = [];
  const own = <Made extends Pixels>(made: Made): Made => {
    others.push(made);
    return made;
  };
  const bytes = (length: number): Uint8Array => {
    const first = block.place(length);
    return first === undefined ? own(new Uint8Array(length)) : new Uint8Array(block.buffer, first, length);
  };
  const floats = (length: number): Float32Array => {
    const first = block.place(length * Float32Array.BYTES_PER_ELEMENT);
    return first === undefined
      ? own(new Float32Array(length))
      : new Float32Array(block.buffer, first, length);
  };
  const move = <Made extends Pixels>(made: Made, to: (length: number) => Made): Made => {
    if (!block.hasPlace(made.byteLength)) return own(made);
    const moved = to(made.length);
    moved.set(made);
    freeMemory(made);
    return moved;
  };
  const memory: PixelMemory = {
    bytes,
    floats,
    takeBytes: (made) => move(made, bytes),
    takeFloats: (made) => move(made, floats),
  };
  const freeing =
    <Input, Result>(task: Task<Input, Result>): Task<Input, Result> =>
    async (input) => {
      try {
        return await task(input);
      } finally {
        for (const pixels of others.splice(0)) freeMemory(pixels);
        block.clear();
      }
    };
  return { memory, freeing };
};

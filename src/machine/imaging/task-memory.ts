import { freeMemory } from "#contract/free-memory";
import type { PixelMemory } from "./pixel-memory.ts";

type Pixels = Uint8Array | Float32Array;

type Task<Input, Result> = (input: Input) => Promise<Result>;

/** An array begins at a multiple of a cache line. */
const alignment = 64;

const aligned = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/** Places in one block, from its start on. */
const makeBlock = (bytes: number) => {
  // No array covers the whole buffer, because freeing such an array would free the block.
  const buffer = new ArrayBuffer(aligned(bytes) + alignment);
  let used = 0;
  const hasPlace = (wanted: number): boolean => used + wanted <= bytes;
  return {
    buffer,
    hasPlace,
    /** The first of that many free bytes; undefined where the block has fewer. */
    place: (wanted: number): number | undefined => {
      if (!hasPlace(wanted)) return undefined;
      const first = used;
      used = first + aligned(wanted);
      return first;
    },
    clear: (): void => {
      new Uint8Array(buffer, 0, used).fill(0);
      used = 0;
    },
  };
};

/**
 * The task memory of a thread that runs one task at a time (docs/decisions/0062). One block of `blockBytes`
 * serves all its tasks; the system provides the block's pages when they are first used. An image without a
 * place in it has memory of its own, which is freed when the task ends. Left to the garbage collector, eight
 * megabytes of arrays start a collection of the whole heap.
 *
 * `freeing` wraps a task. No array of this memory may be in the result of a task or be kept for a later one:
 * it is empty or zero then.
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
  /** Undefined where the block has no place for it. */
  const move = <Made extends Pixels>(made: Made, to: (length: number) => Made): Made | undefined => {
    if (!block.hasPlace(made.byteLength)) return undefined;
    const moved = to(made.length);
    moved.set(made);
    freeMemory(made);
    return moved;
  };
  const memory: PixelMemory = {
    bytes,
    floats,
    takeBytes: (made) => move(made, bytes) ?? own(made),
    // A reading may have hundreds of outputs. Those without a place are left to the garbage collector as soon
    // as they are read.
    takeFloats: (made) => move(made, floats) ?? made,
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

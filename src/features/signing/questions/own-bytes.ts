import { isMarkedAsUntransferable } from "node:worker_threads";

/**
 * Bytes that another thread can take over: copied where their buffer is shared memory, or a pool of Node's.
 */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const { buffer, byteOffset, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && !isMarkedAsUntransferable(buffer)
    ? new Uint8Array(buffer, byteOffset, byteLength)
    : Uint8Array.from(bytes);
};

/** The buffers of the bytes, each once, to hand over. */
export const buffersOf = (all: readonly Uint8Array<ArrayBuffer>[]): readonly ArrayBuffer[] => [
  ...new Set(all.map(({ buffer }) => buffer)),
];

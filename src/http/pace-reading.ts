import type { IncomingMessage } from "node:http";
import { freeMemory } from "#contract/free-memory";

/** Largest part of one body that is read before other connections have their turn: two reads of a socket. */
const shareBytes = 128 * 1024;

/**
 * Reads a body in turns with everything else of the event loop. Without turns libuv reads one socket up to 32 times in
 * a row: forty large bodies at once then take the thread for over 100 ms.
 */
export const paceReading = (stream: IncomingMessage): void => {
  let read = 0;
  stream.on("data", (chunk: Uint8Array) => {
    read += chunk.length;
    if (read < shareBytes || stream.isPaused()) return;
    stream.pause();
    setImmediate(() => {
      read = 0;
      stream.resume();
    });
  });
};

/**
 * Reads the rest of a body whose answer is known, and drops it. Node copies each part of a body into memory of its own: forty bodies of
 * 35 MB at once left 130 MiB in the allocator.
 */
export const dropBody = (stream: IncomingMessage): void => {
  paceReading(stream);
  stream.on("data", freeMemory);
};

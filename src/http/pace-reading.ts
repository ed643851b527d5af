import type { IncomingMessage } from "node:http";

/** Largest part of one body that is read before other connections have their turn: two reads of a socket. */
const shareBytes = 128 * 1024;

/**
 * Reads a body in turns with everything else of the event loop. Without turns libuv reads one socket up to 32 times in
 * a row: forty large bodies at once then take the thread for over 100 ms. Bytes without another listener are dropped.
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

import type { IncomingMessage } from "node:http";
import { freeMemory } from "#contract/free-memory";

/** Largest part of one body that is read before other connections have their turn: two reads of a socket. */
const shareBytes = 128 * 1024;
/** How many bodies are read in one turn of the event loop. Together they are half a megabyte. */
const bodiesPerTurn = 4;

export type Pacing = {
  /** Lets a body that another reader reads go on in turns. */
  readonly pace: (stream: IncomingMessage) => void;
  /**
   * Reads the rest of a body whose answer is known, and drops it. Node copies each part of a body into memory
   * of its own: forty bodies of 35 MB at once left 130 MiB in the allocator.
   */
  readonly drop: (stream: IncomingMessage) => void;
};

/**
 * Makes the turns in which a server reads bodies: beside everything else of the event loop, and few bodies in
 * one turn. Without turns libuv reads one socket up to 32 times in a row: forty large bodies at once then
 * take the thread for over 100 ms, and for 25 ms where each has a share in every turn.
 */
export const makePacing = (): Pacing => {
  /** The longest wait first. */
  const waiting: IncomingMessage[] = [];
  const nextTurn = (): void => {
    for (const stream of waiting.splice(0, bodiesPerTurn)) stream.resume();
    if (waiting.length > 0) setImmediate(nextTurn);
  };
  const pace = (stream: IncomingMessage): void => {
    let read = 0;
    stream.on("data", (chunk: Uint8Array) => {
      read += chunk.length;
      if (read < shareBytes || stream.isPaused()) return;
      read = 0;
      stream.pause();
      if (waiting.push(stream) === 1) setImmediate(nextTurn);
    });
  };
  return {
    pace,
    drop: (stream) => {
      pace(stream);
      stream.on("data", freeMemory);
    },
  };
};

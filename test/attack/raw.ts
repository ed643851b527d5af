import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Everything that a server sent until it closed or fell silent. */
export type RawAnswer = {
  readonly text: string;
  /** Status of each answer in the stream. */
  readonly statuses: readonly number[];
  readonly isClosed: boolean;
};

/** Bytes, a pause, or the end of the sending side. */
export type Piece = Buffer | { readonly waitMs: number } | { readonly end: true };

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3})[ \r]/g)].map(([, status]) => Number(status));

const write = async (socket: Socket, pieces: readonly Piece[]): Promise<void> => {
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) return;
    if (Buffer.isBuffer(piece)) socket.write(piece);
    else if ("end" in piece) socket.end();
    else await sleep(piece.waitMs);
  }
};

/** Sends bytes as they are, then waits until the server closes, or sends nothing for `silentMs`. */
export const sendRaw = async (port: number, pieces: readonly Piece[], silentMs = 400): Promise<RawAnswer> => {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  let heardAt = performance.now();
  let isClosed = false;
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    heardAt = performance.now();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  await write(socket, pieces);
  heardAt = performance.now();
  // Not `isClosed`: the linter does not see that an event sets it.
  while (!socket.closed && performance.now() - heardAt < silentMs) await sleep(10);
  socket.destroy();
  const text = Buffer.concat(chunks).toString("latin1");
  return { text, statuses: statusesIn(text), isClosed };
};

export type Drip = { readonly isOpen: () => boolean; readonly stop: () => void };

/** Opens a connection that sends one byte at a time, then the last byte again and again. */
export const drip = (port: number, bytes: Buffer, everyMs: number): Drip => {
  const socket = connect(port, "127.0.0.1");
  let at = 0;
  const timer = setInterval(() => {
    if (socket.writable) socket.write(bytes.subarray(at, at + 1));
    at = Math.min(at + 1, bytes.length - 1);
  }, everyMs);
  socket.on("error", () => undefined);
  socket.on("close", () => clearInterval(timer));
  return {
    isOpen: () => socket.writable,
    stop: () => {
      clearInterval(timer);
      socket.destroy();
    },
  };
};

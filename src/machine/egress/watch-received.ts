import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { judgeReceived } from "./budget.ts";

/** TLS without content is seen by no event: the bytes on the wire are looked at this often. */
const lookEveryMs = 100;

/**
 * Ends an exchange whose peer exceeds the budget (budget.ts): `onExcess` gets the reason, once. Counts from
 * the moment when the request has its connection, so that a kept connection begins anew.
 */
export const watchReceived = (request: ClientRequest, onExcess: (reason: string) => void): void => {
  const counts = { interim: 0, hasHead: false, bytes: 0, bodyBytes: 0, pieces: 0, processorMs: 0 };
  let wire: Wire | undefined;
  const end = (): void => {
    wire?.end();
    request.off("information", onInformation);
  };
  const judge = (): void => {
    const reason = judgeReceived({ ...counts, wireBytes: wire?.bytes() ?? 0 });
    if (reason === undefined) return;
    end();
    onExcess(reason);
  };
  const onInformation = (): void => {
    counts.interim += 1;
    judge();
  };
  request.on("information", onInformation);
  request.once("response", (answer) => {
    counts.hasHead = true;
    countBody(answer, (bytes) => {
      counts.bodyBytes += bytes;
      counts.pieces += 1;
    });
  });
  request.once("socket", (socket) => {
    wire = watchSocket(socket, judge, (bytes, processorMs) => {
      counts.bytes += bytes;
      counts.pieces += 1;
      counts.processorMs += processorMs;
    });
  });
  request.once("close", end);
};

/** The parser pushes each piece of the body. */
const countBody = (answer: IncomingMessage, onPiece: (bytes: number) => void): void => {
  const push = answer.push.bind(answer);
  answer.push = (piece: unknown, encoding?: BufferEncoding) => {
    if (piece instanceof Uint8Array) onPiece(piece.length);
    return push(piece, encoding);
  };
};

type Wire = { readonly bytes: () => number; readonly end: () => void };

/** Counts each read with the processor time of its parser, which listens between the two listeners here. */
const watchSocket = (
  socket: Socket,
  judge: () => void,
  onRead: (bytes: number, processorMs: number) => void,
): Wire => {
  const before = wireBytesOf(socket);
  let startedMs = 0;
  const starts = (): void => {
    startedMs = processorMsOfThread();
  };
  const ends = (piece: Uint8Array): void => {
    onRead(piece.length, processorMsOfThread() - startedMs);
    judge();
  };
  socket.prependListener("data", starts);
  socket.on("data", ends);
  const look = setInterval(judge, lookEveryMs);
  look.unref();
  return {
    bytes: () => wireBytesOf(socket) - before,
    end: () => {
      clearInterval(look);
      socket.off("data", starts);
      socket.off("data", ends);
    },
  };
};

/**
 * Processor time of this thread: what other threads take does not count against a peer. Node 22 lacks it for
 * threads.
 */
const processorMsOfThread = (): number => {
  const { user, system } =
    "threadCpuUsage" in process ? process.threadCpuUsage() : { user: performance.now() * 1000, system: 0 };
  return (user + system) / 1000;
};

/**
 * Bytes that came over the network. A TLS socket shows what it decrypted alone; the handle below it, which
 * Node does not document, has the rest. watch-received.test.ts fails where a version of Node has none.
 */
export const wireBytesOf = (socket: Socket): number => {
  const below = partOf(partOf(socket, "_handle"), "_parent");
  const bytes = partOf(below, "bytesRead");
  return typeof bytes === "number" ? bytes : socket.bytesRead;
};

const partOf = (whole: unknown, name: string): unknown =>
  typeof whole === "object" && whole !== null ? Reflect.get(whole, name) : undefined;

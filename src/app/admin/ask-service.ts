import { connect, type Socket } from "node:net";
import { emptyFrame, endOfFrames, readFrame, writeFrame } from "./frames.ts";
import {
  answerBytesMax,
  type Greeting,
  isRefusal,
  isStoreAnswer,
  isStoreRefusal,
  isWelcome,
  lineBytesMax,
  requestBytesMax,
} from "./messages.ts";
import { makeReadPieces, type ReadPieces } from "./read-pieces.ts";

/**
 * A service that refused the command, or ended before it answered. The message is complete for the operator.
 */
export class AdminFault extends Error {
  override readonly name = "AdminFault";
}

/** The store of a running service, as a command sees it. Made by {@link askService}. */
export type ServedStore = {
  /** Ids of the master keys of the service, the current one first. */
  readonly masterIds: readonly string[];
  /**
   * Runs one command of the store in the service. Throws its error, and AdminFault where the service ends
   * meanwhile.
   */
  readonly run: (name: string, args: readonly unknown[]) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

/** The service answers the first line from memory. */
const welcomeMsMax = 10_000;
/** The service ends a connection that is silent for ten minutes. */
const lifeSignMs = 60_000;

const ended =
  "The service ended, or closed the connection, before it answered. What it stored until then is whole: run the command again.";

/**
 * Connects to the service behind a socket. Undefined where none answers there: it may be starting, ending, or
 * busy with as many commands as it serves. Throws AdminFault where it refuses the command. `errorOf` makes an
 * error of the store from its plain form.
 */
export const askService = async (
  path: string,
  greeting: Omit<Greeting, "open">,
  errorOf: (refused: unknown) => Error,
): Promise<ServedStore | undefined> => {
  const socket = connect(path);
  // Its end says the same.
  socket.on("error", () => undefined);
  socket.setTimeout(welcomeMsMax, () => socket.destroy());
  const pieces = makeReadPieces(socket);
  socket.write(`${JSON.stringify({ open: "store", ...greeting })}\n`);
  const line = await pieces.line(lineBytesMax);
  const welcome = line === undefined ? undefined : readJson(line);
  if (isWelcome.Check(welcome)) {
    socket.setTimeout(0);
    return { masterIds: welcome.masterIds, ...converse(socket, pieces, errorOf) };
  }
  socket.destroy();
  if (line === undefined) return undefined;
  throw new AdminFault(
    isRefusal.Check(welcome)
      ? welcome.refusal
      : "The service answers in another form: use the command line of its release.",
  );
};

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The caller that waits for an answer. */
type Settle = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };

const converse = (
  socket: Socket,
  pieces: ReadPieces,
  errorOf: (refused: unknown) => Error,
): Pick<ServedStore, "run" | "close"> => {
  const waiting = new Map<number, Settle>();
  let number = 0;
  let isOver = false;
  const lifeSigns = setInterval(() => socket.write(emptyFrame()), lifeSignMs);
  const settle = (reply: unknown): boolean => {
    if (isStoreAnswer.Check(reply)) waiting.get(reply.number)?.resolve(reply.answer);
    else if (isStoreRefusal.Check(reply)) waiting.get(reply.number)?.reject(errorOf(reply.refused));
    else return false;
    return waiting.delete(reply.number);
  };
  const listen = async (): Promise<void> => {
    for (;;) {
      const reply = await readFrame(pieces, answerBytesMax);
      if (reply === endOfFrames || !settle(reply)) break;
    }
    isOver = true;
    clearInterval(lifeSigns);
    socket.destroy();
    for (const { reject } of waiting.values()) reject(new AdminFault(ended));
    waiting.clear();
  };
  const listening = listen();
  return {
    run: async (name, args) => {
      if (isOver) throw new AdminFault(ended);
      number += 1;
      const [head, body] = writeFrame({ number, name, args });
      if (body.length > requestBytesMax) {
        throw new Error(`The store's command ${name} has ${body.length} bytes, more than ${requestBytesMax}`);
      }
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(number, { resolve, reject });
      socket.write(head);
      socket.write(body);
      return await promise;
    },
    close: async () => {
      socket.end();
      await listening;
    },
  };
};

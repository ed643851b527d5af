import { chmod, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { endOfFrames, readFrame, writeFrame } from "./frames.ts";
import {
  answerBytesMax,
  type Greeting,
  isGreeting,
  isStoreRequest,
  lineBytesMax,
  requestBytesMax,
  type StoreRequest,
} from "./messages.ts";
import { makeReadPieces, type ReadPieces } from "./read-pieces.ts";

export type AdminDeps = {
  /** The release of the service, and the ids of its master keys, the current one first. */
  readonly release: string;
  readonly masterIds: readonly string[];
  /** The commands of the store that are served. */
  readonly names: ReadonlySet<string>;
  /** Runs one command of the store: one transaction. */
  readonly run: (name: string, args: readonly unknown[]) => Promise<unknown>;
  /** An error of the store as a plain value. */
  readonly refusalOf: (error: unknown) => unknown;
  readonly onError: (error: unknown) => void;
};

/** The first line must be complete within this time. */
const greetingMsMax = 10_000;
/**
 * A command sends a sign of life each minute (ask-service.ts). Without one for this time it hangs, and its
 * connection ends.
 */
const silenceMsMax = 600_000;
const connectionsMax = 8;
/** A command that does not read its last answers keeps no service from its end for longer. */
const farewellMs = 1_000;
/** Commands of the store that one connection may have in work: more do not make a disk faster. */
const inWorkMax = 16;

/**
 * Serves the store to commands on a socket, for the owner of the directory alone. Replaces a socket that a
 * killed process left: the caller holds the lock of the directory. `close` lets the running transactions end,
 * and then ends the connections. Throws Error where the path is too long for a socket.
 */
export const serveAdminSocket = async (
  path: string,
  deps: AdminDeps,
): Promise<{ readonly close: () => Promise<void> }> => {
  await rm(path, { force: true });
  const ending = new AbortController();
  const server = createServer((socket) => void serve(socket, deps, ending.signal));
  server.maxConnections = connectionsMax;
  server.on("error", deps.onError);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(path, resolve);
  await promise;
  server.off("error", reject);
  // The directory is closed to others, so no other user could connect before.
  await chmod(path, 0o600);
  return {
    close: async () => {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      ending.abort();
      await closed.promise;
    },
  };
};

const serve = async (socket: Socket, deps: AdminDeps, ending: AbortSignal): Promise<void> => {
  // A command that goes away needs no answer.
  socket.on("error", () => socket.destroy());
  const leave = (): void => void setTimeout(() => socket.destroy(), farewellMs).unref();
  ending.addEventListener("abort", leave);
  socket.once("close", () => ending.removeEventListener("abort", leave));
  socket.setTimeout(greetingMsMax, () => socket.destroy());
  const pieces = makeReadPieces(socket);
  const line = await untilAborted(pieces.line(lineBytesMax), ending);
  if (line === undefined) {
    socket.destroy();
    return;
  }
  const refusal = judgeGreeting(line, deps);
  if (refusal !== undefined) {
    socket.end(`${JSON.stringify({ refusal })}\n`);
    return;
  }
  const { release, masterIds } = deps;
  socket.write(`${JSON.stringify({ release, masterIds })}\n`);
  socket.setTimeout(silenceMsMax);
  await serveRequests(socket, pieces, deps, ending);
};

/** Undefined where the signal aborts first. */
const untilAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const abort = (): void => resolve(undefined);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};

/** Why the command is not served, as a sentence for the operator; undefined where it is. */
const judgeGreeting = (line: string, { release, masterIds }: AdminDeps): string | undefined => {
  const greeting = parse(line);
  if (greeting === undefined) {
    return "The service does not understand this command: use the command line of its release.";
  }
  if (greeting.release !== release) {
    return `The service runs release ${release}, and this command is of release ${greeting.release}: use the command line of its release.`;
  }
  const [current = ""] = greeting.masterIds;
  // Each side must open what the other seals now.
  const areShared = masterIds.includes(current) && greeting.masterIds.includes(masterIds[0] ?? "");
  return greeting.masterIds.length === 0 || areShared ? undefined : otherMaster(masterIds[0] ?? "", current);
};

/** The sentence for a command with another master key than the service. */
export const otherMaster = (ofService: string, ofCommand: string): string =>
  `The service has the master key ${ofService}, and this command ${ofCommand}. Run the command with the settings of the service; for a change of the master key, start the service with the new one as IDEM_MASTER_KEY and the former one as IDEM_MASTER_KEY_PREVIOUS first.`;

const parse = (line: string): Greeting | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return isGreeting.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Runs the requests of a connection until it ends. A transaction that runs then is completed; those that wait
 * are not begun.
 */
const serveRequests = async (
  socket: Socket,
  pieces: ReadPieces,
  deps: AdminDeps,
  ending: AbortSignal,
): Promise<void> => {
  const inWork = new Set<Promise<void>>();
  for (;;) {
    const request = await untilAborted(readFrame(pieces, requestBytesMax), ending);
    if (request === endOfFrames || !isStoreRequest.Check(request) || socket.destroyed) break;
    const work = runOne(socket, request, deps).finally(() => inWork.delete(work));
    inWork.add(work);
    if (inWork.size >= inWorkMax) await Promise.race(inWork);
  }
  await Promise.all(inWork);
  // The command reads its last answers before the end.
  socket.end(() => socket.destroy());
  setTimeout(() => socket.destroy(), farewellMs).unref();
};

const runOne = async (socket: Socket, request: StoreRequest, deps: AdminDeps): Promise<void> => {
  const frame = writeFrame(await answer(request, deps));
  const { length } = frame[1];
  const isTooLong = length > answerBytesMax;
  if (isTooLong) deps.onError(new Error(`The answer of ${request.name} has ${length} bytes`));
  const [head, body] = isTooLong
    ? writeFrame(refused(request, new Error("The answer is too long"), deps))
    : frame;
  if (socket.destroyed) return;
  socket.write(head);
  if (socket.write(body)) return;
  // A command that reads slowly gets no further answer meanwhile.
  await drained(socket);
};

const drained = async (socket: Socket): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => resolve();
  socket.once("drain", settle).once("close", settle);
  await promise;
  socket.off("drain", settle).off("close", settle);
};

const refused = ({ number }: StoreRequest, error: unknown, { refusalOf }: AdminDeps) => ({
  number,
  refused: refusalOf(error),
});

const answer = async (request: StoreRequest, deps: AdminDeps): Promise<unknown> => {
  const { number, name, args } = request;
  if (!deps.names.has(name)) return refused(request, new Error(`The store has no command ${name}`), deps);
  try {
    return { number, answer: await deps.run(name, args) };
  } catch (error) {
    deps.onError(error);
    return refused(request, error, deps);
  }
};

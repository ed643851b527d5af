/** The side of the thread that answers callers. */
import type { Worker } from "node:worker_threads";
import { type Egress, type EgressAnswer, EgressError } from "../egress.ts";
import {
  type Ask,
  type CallReply,
  type Head,
  isLastReply,
  ownBytesOf,
  type Reply,
  type SentCall,
} from "./messages.ts";
import { makeWake } from "./wake.ts";

/** When a thread hangs. */
export type ThreadBounds = {
  /** The longest start of a thread. */
  readonly startMsMax: number;
  /** The thread ends a call in its time. Where it hangs, the call ends so much later. */
  readonly hangMs: number;
};

/**
 * Our choice: a start takes less than a second on an idle machine, and no busy machine delays a thread so
 * long.
 */
const usualBounds: ThreadBounds = { startMsMax: 30_000, hangMs: 5_000 };

/** Outgoing calls in a thread of their own. Made by {@link makeEgressThread}. */
export type EgressThread = {
  readonly egress: Egress;
  /** Starts the thread before its first call, also after a close. */
  readonly start: () => void;
  readonly readings: () => { readonly calls: number; readonly deaths: number };
  /** Calls that run fail with `interrupted`, and later ones too. */
  readonly close: () => Promise<void>;
};

/**
 * Sends every call through one thread, which the first call starts. Where the thread ends by itself, its
 * calls fail with `interrupted`, `onEnd` gets the cause, and the next call starts a new thread. A thread that
 * hangs, or takes no calls `startMsMax` after its start, is ended so. The thread keeps no process alive
 * without a call.
 */
export const makeEgressThread = (
  start: () => Worker,
  onEnd: (cause: unknown) => void,
  bounds: ThreadBounds = usualBounds,
): EgressThread => {
  let running: Connection | undefined;
  let isClosed = false;
  let deaths = 0;
  const connection = (): Connection => {
    if (isClosed) throw interrupted("The service ends");
    running ??= connect(start(), bounds, (cause) => {
      running = undefined;
      deaths += 1;
      onEnd(cause);
    });
    return running;
  };
  return {
    egress: async (url, call) => {
      call.signal?.throwIfAborted();
      return await send(connection(), url, call);
    },
    start: () => {
      isClosed = false;
      connection();
    },
    readings: () => ({ calls: running?.calls() ?? 0, deaths }),
    close: async () => {
      const closing = running;
      [isClosed, running] = [true, undefined];
      await closing?.close();
    },
  };
};

const interrupted = (why: string, cause?: unknown): EgressError =>
  new EgressError("interrupted", `${why}: the call was interrupted`, { cause });

/** What a call waits for: a reply, or the end of its waiting. */
type Arrival = CallReply | { readonly kind: "ended"; readonly error: unknown };

type Exchange = {
  readonly next: () => Promise<Arrival>;
  readonly more: () => void;
  /** Ends the exchange with this error, or quietly. */
  readonly leave: (error?: unknown) => void;
};

type Connection = {
  /** Resolves when the thread takes calls; never where it does not start, which ends its calls. */
  readonly ready: Promise<void>;
  readonly hangMs: number;
  /**
   * Asks the thread for a sign of life, and ends it without one: its calls fail with `interrupted`, and the
   * next starts another.
   */
  readonly requireLife: () => void;
  readonly open: (url: string, call: SentCall) => Exchange;
  readonly calls: () => number;
  readonly close: () => Promise<void>;
};

const makeOpen = (
  worker: Worker,
  inboxes: Map<number, Inbox>,
  forget: (id: number) => void,
): Connection["open"] => {
  let lastId = 0;
  return (url, call) => {
    lastId += 1;
    const id = lastId;
    const inbox = makeInbox();
    inboxes.set(id, inbox);
    worker.ref();
    postCall(worker, id, url, call);
    return {
      next: inbox.take,
      more: () => post(worker, { kind: "more", id }),
      leave: (error) => {
        if (!inboxes.has(id)) return;
        post(worker, { kind: "leave", id });
        forget(id);
        inbox.put({ kind: "ended", error });
      },
    };
  };
};

const connect = (
  worker: Worker,
  { startMsMax, hangMs }: ThreadBounds,
  onEnd: (cause: unknown) => void,
): Connection => {
  const inboxes = new Map<number, Inbox>();
  let isClosing = false;
  const forget = (id: number): void => {
    inboxes.delete(id);
    if (inboxes.size === 0) worker.unref();
  };
  worker.unref();
  let hangs = false;
  const kill = (): void => {
    hangs = true;
    void worker.terminate();
  };
  const life = makeLifeWatch(hangMs, () => post(worker, { kind: "ping" }), kill);
  const ready = listen(worker, inboxes, { forget, onPong: life.seen }, (cause) => {
    clearTimeout(starting);
    life.seen();
    const death = hangs ? "The thread of outgoing calls hangs" : "The thread of outgoing calls ended";
    const why = isClosing ? "The service ends" : death;
    for (const { put } of inboxes.values()) put({ kind: "ended", error: interrupted(why, cause) });
    inboxes.clear();
    if (!isClosing) onEnd(cause);
  });
  const starting = setTimeout(kill, startMsMax);
  starting.unref();
  void ready.then(() => clearTimeout(starting));
  return {
    ready,
    hangMs,
    requireLife: life.ask,
    calls: () => inboxes.size,
    open: makeOpen(worker, inboxes, forget),
    close: async () => {
      isClosing = true;
      await worker.terminate();
    },
  };
};

/** Asks the thread for a sign of life, one question at a time. Calls `onHang` if no answer comes in time. */
const makeLifeWatch = (hangMs: number, ping: () => void, onHang: () => void) => {
  let watch: NodeJS.Timeout | undefined;
  return {
    ask: (): void => {
      if (watch !== undefined) return;
      ping();
      watch = setTimeout(onHang, hangMs).unref();
    },
    seen: (): void => {
      clearTimeout(watch);
      watch = undefined;
    },
  };
};

/** Hands each reply to its call. Resolves when the thread takes calls. */
const listen = (
  worker: Worker,
  inboxes: ReadonlyMap<number, Inbox>,
  { forget, onPong }: { readonly forget: (id: number) => void; readonly onPong: () => void },
  onExit: (cause: unknown) => void,
): Promise<void> => {
  const ready = Promise.withResolvers<void>();
  let cause: unknown;
  worker.on("message", (reply: Reply) => {
    if (reply.kind === "ready") return ready.resolve();
    if (reply.kind === "pong") return onPong();
    inboxes.get(reply.id)?.put(reply);
    if (isLastReply(reply)) forget(reply.id);
  });
  worker.on("error", (error) => {
    cause = error;
  });
  worker.once("exit", () => onExit(cause));
  return ready.promise;
};

const post = (worker: Worker, ask: Ask, moved: readonly ArrayBuffer[] = []): void =>
  worker.postMessage(ask, moved);

const postCall = (worker: Worker, id: number, url: string, { body, ...call }: SentCall): void => {
  const bytes = body && ownBytesOf(body);
  const sent = { ...call, ...(bytes && { body: bytes }) };
  post(worker, { kind: "call", id, url, call: sent }, bytes ? [bytes.buffer] : []);
};

type Inbox = { readonly put: (arrival: Arrival) => void; readonly take: () => Promise<Arrival> };

/** Holds a head, a batch and an end at most: the thread sends no more unasked. */
const makeInbox = (): Inbox => {
  const arrived: Arrival[] = [];
  const { wake, next } = makeWake();
  return {
    put: (arrival) => {
      arrived.push(arrival);
      wake();
    },
    take: async () => {
      for (;;) {
        const arrival = arrived.shift();
        if (arrival !== undefined) return arrival;
        await next();
      }
    },
  };
};

const headMsDefault = 30_000;
const bodyMsDefault = 60_000;

const send = async (
  connection: Connection,
  url: string,
  { signal, ...call }: Parameters<Egress>[1],
): Promise<EgressAnswer> => {
  const exchange = connection.open(url, call);
  const abort = (): void => exchange.leave(signal?.reason);
  const { headMsMax = headMsDefault, wholeMsMax = headMsMax + bodyMsDefault } = call;
  // Either the thread hangs, or the caller does not read its answer: only the first ends the thread.
  const hangs = (): void => {
    exchange.leave(interrupted("The thread of outgoing calls hangs"));
    connection.requireLife();
  };
  signal?.addEventListener("abort", abort);
  let watch: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearTimeout(watch);
    signal?.removeEventListener("abort", abort);
  };
  // A thread that starts does not hang.
  const watchIt = async (): Promise<void> => {
    await connection.ready;
    if (!isOver) watch ??= setTimeout(hangs, Math.min(headMsMax, wholeMsMax) + connection.hangMs);
  };
  void watchIt();
  try {
    const arrival = await exchange.next();
    if (arrival.kind !== "head") throw errorOf(arrival);
    clearTimeout(watch);
    watch = setTimeout(hangs, wholeMsMax + connection.hangMs);
    return answerOf(arrival.head, exchange, end);
  } catch (error) {
    end();
    throw error;
  }
};

const answerOf = (head: Head, exchange: Exchange, end: () => void): EgressAnswer => ({
  ...head,
  body: readBody(exchange, end),
  discard: () => {
    end();
    exchange.leave(new EgressError("cut", "The answer was discarded"));
  },
});

async function* readBody(exchange: Exchange, end: () => void): AsyncGenerator<Uint8Array, void> {
  try {
    for (;;) {
      const arrival = await exchange.next();
      if (arrival.kind !== "batch") throw errorOf(arrival);
      if (arrival.bytes.length > 0) yield arrival.bytes;
      if (arrival.isLast) return;
      exchange.more();
    }
  } finally {
    end();
    exchange.leave();
  }
}

const errorOf = (arrival: Arrival): unknown => {
  if (arrival.kind === "ended") return arrival.error;
  if (arrival.kind === "head" || arrival.kind === "batch")
    return new Error("A head or a batch came out of turn");
  if (arrival.kind === "broken") return new Error(`An outgoing call failed: ${arrival.message}`);
  const { reason, message, exchange, cause } = arrival;
  const error = new EgressError(reason, message, {
    ...(cause && { cause: Object.assign(new Error(cause.message), cause.code && { code: cause.code }) }),
  });
  error.exchange = exchange;
  return error;
};

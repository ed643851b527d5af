/** The side of the thread of outgoing calls. */
import type { MessagePort } from "node:worker_threads";
import { type Egress, EgressError } from "../egress.ts";
import { inBatches } from "./in-batches.ts";
import type { Ask, CallReply, Reply, SentCause } from "./messages.ts";
import { makeWake } from "./wake.ts";

/** One call: its end, and the batches that its caller has asked for. */
type Running = { readonly ending: AbortController; readonly credit: Credit };

/**
 * Answers the calls of a port. The first batch of a body is sent unasked; each further batch when the caller
 * has taken the batch before.
 */
export const serveEgress = (port: MessagePort, egress: Egress): void => {
  const calls = new Map<number, Running>();
  const send = (reply: Reply): void =>
    reply.kind === "batch" ? port.postMessage(reply, [reply.bytes.buffer]) : port.postMessage(reply);
  port.on("message", (ask: Ask) => {
    if (ask.kind === "ping") return send({ kind: "pong" });
    const { id } = ask;
    if (ask.kind === "more") calls.get(id)?.credit.add();
    else if (ask.kind === "leave") calls.get(id)?.ending.abort();
    else {
      const call = { ending: new AbortController(), credit: makeCredit() };
      calls.set(id, call);
      void run(egress, ask, call, send).finally(() => calls.delete(id));
    }
  });
  send({ kind: "ready" });
};

const run = async (
  egress: Egress,
  { id, url, call }: Extract<Ask, { readonly kind: "call" }>,
  { ending, credit }: Running,
  send: (reply: Reply) => void,
): Promise<void> => {
  const { signal } = ending;
  try {
    const { body, discard: _, ...head } = await egress(url, { ...call, signal });
    signal.throwIfAborted();
    send({ kind: "head", id, head });
    for await (const { bytes, isLast } of inBatches(body)) {
      await credit.take(signal);
      send({ kind: "batch", id, bytes, isLast });
    }
  } catch (error) {
    if (!signal.aborted) send(failureOf(id, error));
  }
};

const failureOf = (id: number, error: unknown): CallReply => {
  if (!(error instanceof EgressError)) return { kind: "broken", id, message: String(error) };
  const { reason, message, exchange, cause } = error;
  return {
    kind: "failed",
    id,
    reason,
    message,
    ...(exchange && { exchange }),
    ...(cause instanceof Error && { cause: causeOf(cause) }),
  };
};

const causeOf = (cause: Error): SentCause => ({
  message: cause.message,
  ...("code" in cause && { code: String(cause.code) }),
});

type Credit = { readonly add: () => void; readonly take: (signal: AbortSignal) => Promise<void> };

/** Begins with one batch. */
const makeCredit = (): Credit => {
  const { wake, next } = makeWake();
  let batches = 1;
  const isSpent = (): boolean => batches === 0;
  return {
    add: () => {
      batches += 1;
      wake();
    },
    take: async (signal) => {
      signal.addEventListener("abort", wake);
      while (isSpent() && !signal.aborted) await next();
      signal.removeEventListener("abort", wake);
      signal.throwIfAborted();
      batches -= 1;
    },
  };
};

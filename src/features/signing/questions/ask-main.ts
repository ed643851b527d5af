import type { MessagePort } from "node:worker_threads";
import { Failure } from "#contract/failure";
import type { SigningPorts } from "#trust/revocation/ports";
import type { AnswerMessage, Question, ThreadMessage } from "./message.ts";

type Waiting = {
  readonly resolve: (bytes: Uint8Array | undefined) => void;
  readonly reject: (error: Error) => void;
};

const errorOf = (answer: Exclude<AnswerMessage, { readonly kind: "done" }>): Error => {
  if (answer.kind === "threw") return new Error(answer.words);
  return new Failure(answer.code, answer.facts, answer.cause === undefined ? {} : { cause: answer.cause });
};

const present = (bytes: Uint8Array | undefined): Uint8Array => {
  if (bytes === undefined) throw new Error("The main thread answered without bytes");
  return bytes;
};

/**
 * The ports of a signing thread, over a MessagePort. `close` lets the port go; call it at the end of the
 * task.
 */
export type AskedPorts = SigningPorts & { readonly close: () => void };

/**
 * The thread's side: each question is answered by {@link answerQuestions} on the main thread. `thread` is the
 * system's number of the thread, where the system has one.
 */
export const askMain = (port: MessagePort, thread?: string): AskedPorts => {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let isClosed = false;
  const send = (message: ThreadMessage): void => port.postMessage(message);
  port.on("message", (answer: AnswerMessage) => {
    const question = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.kind === "done") question?.resolve(answer.bytes);
    else question?.reject(errorOf(answer));
  });
  // The caller has left, so nothing answers: the task ends, and its thread is free.
  port.on("close", () => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new Failure("timed_out"));
    waiting.clear();
  });
  const ask = async (question: Question): Promise<Uint8Array | undefined> => {
    if (isClosed) throw new Failure("timed_out");
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined>();
    const id = ++asked;
    waiting.set(id, { resolve, reject });
    send({ kind: "asked", id, question });
    return promise;
  };
  send({ kind: "begun", ...(thread !== undefined && { thread }) });
  return {
    sign: async (message) => present(await ask({ kind: "sign", message })),
    stamp: async (hash, digest) => present(await ask({ kind: "stamp", hash, digest })),
    fetch: (validation) => ask({ kind: "fetch", validation }),
    close: () => port.close(),
  };
};

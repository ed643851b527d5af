import type { MessagePort } from "node:worker_threads";
import { Failure } from "#contract/failure";
import type { SigningPorts } from "../ports.ts";
import type { AnswerMessage, AskMessage, Question } from "./message.ts";

export type AnsweringOptions = {
  readonly ports: SigningPorts;
  /** Longest time that the thread may compute between two questions, in milliseconds. */
  readonly computingMsMax: number;
  /** More questions than this are refused, and end the thread. */
  readonly questionsMax: number;
};

/** The main thread's side of one task of a signing thread. */
export type Answering = {
  /** Aborts with pdf_unreadable where the thread computes too long or asks too often: then end the thread. */
  readonly end: AbortSignal;
  /** Call it when the task has ended. */
  readonly close: () => void;
};

/** Calls `onLate` when no question is open for so long. */
const makeComputingClock = (msMax: number, onLate: () => void) => {
  let timer: NodeJS.Timeout | undefined;
  let open = 0;
  let isStopped = false;
  const start = (): void => {
    if (!isStopped) timer = setTimeout(onLate, msMax);
  };
  return {
    start,
    stop: (): void => {
      isStopped = true;
      clearTimeout(timer);
    },
    pause: (): void => {
      open++;
      clearTimeout(timer);
    },
    resume: (): void => {
      open--;
      if (open === 0) start();
    },
  };
};

const answerOf = (ports: SigningPorts, question: Question): Promise<Uint8Array | undefined> => {
  if (question.kind === "sign") return ports.sign(question.message);
  return question.kind === "stamp" ? ports.stamp(question.hash, question.digest) : ports.fetch(question.ask);
};

/** The cause is for the operator's log: one line, which any thread can hold. */
const failedAnswer = (id: number, error: unknown): AnswerMessage => {
  if (!(error instanceof Failure)) return { id, kind: "threw", words: String(error) };
  const { code, facts, cause } = error;
  return { id, kind: "failed", code, facts, ...(cause instanceof Error && { cause: String(cause) }) };
};

/**
 * Answers the questions of a thread from the ports, several at a time. Counts the time that the thread computes: from
 * its first message on, while no question is open.
 */
export const answerAsks = (
  port: MessagePort,
  { ports, computingMsMax, questionsMax }: AnsweringOptions,
): Answering => {
  const end = new AbortController();
  const endWith = (reason: string): void => end.abort(new Failure("pdf_unreadable", { reason }));
  const clock = makeComputingClock(computingMsMax, () => endWith("reading it takes too long"));
  let asked = 0;
  const answer = async (id: number, question: Question): Promise<void> => {
    clock.pause();
    const reply = await answerOf(ports, question).then(
      (bytes): AnswerMessage => ({ id, kind: "done", bytes }),
      (error: unknown) => failedAnswer(id, error),
    );
    port.postMessage(reply);
    clock.resume();
  };
  port.on("message", (message: AskMessage) => {
    if (message.kind === "begun") {
      clock.start();
      return;
    }
    if (++asked > questionsMax) endWith("it needs too many answers of servers");
    else void answer(message.id, message.question);
  });
  return {
    end: end.signal,
    close: () => {
      clock.stop();
      port.close();
    },
  };
};

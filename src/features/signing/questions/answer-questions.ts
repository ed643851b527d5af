import type { MessagePort } from "node:worker_threads";
import { Failure } from "#contract/failure";
import type { SigningPorts } from "#trust/revocation/ports";
import type { AnswerMessage, Question, ThreadMessage } from "./message.ts";

export type AnsweringOptions = {
  readonly ports: SigningPorts;
  /** Most processor time of the thread between two questions, in milliseconds. */
  readonly computingMsMax: number;
  /**
   * Most time between two questions in all, in milliseconds: a busy machine gives the thread a part of its
   * processors.
   */
  readonly waitingMsMax: number;
  /**
   * Processor time in milliseconds that a thread has taken; undefined where the system does not report it.
   */
  readonly readThreadMs: (thread: string) => number | undefined;
  /** More questions than this are refused, and end the thread. */
  readonly questionsMax: number;
};

/** The main thread's side of one task of a signing thread. */
export type Answering = {
  /**
   * Aborts with pdf_unreadable where the thread computes too long or asks too often, and with engine_busy
   * where the machine gave it so little of its processors that no honest file would have ended: then end the
   * thread.
   */
  readonly end: AbortSignal;
  /** Call it when the task has ended. */
  readonly close: () => void;
};

/**
 * A thread that has taken this part of its processor time when the wait ends works on a file that is at
 * fault: the slowest honest file, with 42 signatures, takes 1.6 s of 10 s (`npm run bench -- signing`).
 */
const ownFaultPart = 0.5;

/**
 * Calls `onLate` when the thread has taken its processor time while no question was open, and when so much
 * time has passed that a thread without a fault would have ended. Without a measurement the machine is
 * assumed: overload is never told as a fault of the file.
 */
const makeComputingClock = (
  { computingMsMax: msMax, waitingMsMax }: Pick<AnsweringOptions, "computingMsMax" | "waitingMsMax">,
  readMs: () => number | undefined,
  onLate: (cause: "file" | "machine") => void,
) => {
  let timer: NodeJS.Timeout | undefined;
  let open = 0;
  let isStopped = false;
  /** Looks again when the thread can have taken the rest of its time. */
  const watch = (usedBefore: number | undefined, endMs: number, waitMs: number): void => {
    timer = setTimeout(() => {
      const used = readMs();
      const leftMs = used === undefined || usedBefore === undefined ? msMax : msMax - (used - usedBefore);
      if (leftMs <= 0) return onLate("file");
      const wallMsLeft = endMs - performance.now();
      if (wallMsLeft <= 0) return onLate(msMax - leftMs >= ownFaultPart * msMax ? "file" : "machine");
      return watch(usedBefore, endMs, Math.min(leftMs, wallMsLeft));
    }, Math.ceil(waitMs));
  };
  const start = (): void => {
    if (!isStopped) watch(readMs(), performance.now() + waitingMsMax, Math.min(msMax, waitingMsMax));
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
  return question.kind === "stamp"
    ? ports.stamp(question.hash, question.digest)
    : ports.fetch(question.validation);
};

/** The cause is for the operator's log: one line, which any thread can hold. */
const failedAnswer = (id: number, error: unknown): AnswerMessage => {
  if (!(error instanceof Failure)) return { id, kind: "threw", words: String(error) };
  const { code, facts, cause } = error;
  return { id, kind: "failed", code, facts, ...(cause instanceof Error && { cause: String(cause) }) };
};

/**
 * Answers the questions of a thread from the ports, several at a time. Counts the time that the thread
 * computes: from its first message on, while no question is open.
 */
export const answerQuestions = (
  port: MessagePort,
  { ports, readThreadMs, questionsMax, ...limits }: AnsweringOptions,
): Answering => {
  const end = new AbortController();
  const endWith = (reason: string): void => end.abort(new Failure("pdf_unreadable", { reason }));
  let thread: string | undefined;
  const clock = makeComputingClock(
    limits,
    () => (thread === undefined ? undefined : readThreadMs(thread)),
    (cause) => {
      if (cause === "file") endWith("reading it takes too long");
      else
        end.abort(new Failure("engine_busy", { retryAfterSeconds: Math.ceil(limits.waitingMsMax / 1000) }));
    },
  );
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
  port.on("message", (message: ThreadMessage) => {
    if (message.kind === "begun") {
      thread = message.thread;
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

/** Composition of the threads that sign, extend and verify PDF documents. */
import { MessageChannel } from "node:worker_threads";
import { Failure } from "#contract/failure";
import type { Attachment } from "#features/signing/evidence/bundle/bundle";
import type { SignedDocument } from "#features/signing/evidence/sign-document";
import type { SigningTerms } from "#features/signing/evidence/sign-with-statement";
import type { SigningInstruction } from "#features/signing/evidence/signing-revision";
import type { ArchiveRequest } from "#features/signing/pades/archive";
import type { ExtendedPdf } from "#features/signing/pades/extend-pdf";
import type { SignRequest } from "#features/signing/pades/place-signature";
import type { SignedPdf } from "#features/signing/pades/sign-pdf";
import { type AnsweringOptions, answerQuestions } from "#features/signing/questions/answer-questions";
import { buffersOf, ownBytes } from "#features/signing/questions/own-bytes";
import type { PdfReport } from "#features/signing/verify/report";
import type { Collector } from "#machine/http/metrics";
import type { PoolReadings } from "#machine/threads/meter";
import { makePool, type Pool, type RunOptions } from "#machine/threads/pool";
import { readThreadMs } from "#machine/threads/thread-time";
import type { SigningPorts } from "#trust/revocation/ports";
import { makeSlowShare, waitingMax } from "./signing-share.ts";
import type { Asking, SigningTasks, VerifyRequest } from "./threads/signing.ts";

/**
 * The threads that sign. Made by {@link openSigningThreads}. Each function takes a document, whose memory is
 * handed over. It fails as its task, with engine_busy where too many documents wait or the machine is too
 * busy, and with pdf_unreadable where reading the file takes too much processor time or memory: its thread is
 * then replaced. Verifications and files above 256 KiB leave one thread of several to signatures of shorter
 * files.
 */
export type SigningThreads = {
  /** With the statement of an authentication. */
  readonly signDocument: (
    document: Uint8Array,
    instruction: SigningInstruction,
    terms: SigningTerms,
    signal?: AbortSignal,
  ) => Promise<SignedDocument>;
  readonly signPdf: (document: Uint8Array, request: SignRequest, signal?: AbortSignal) => Promise<SignedPdf>;
  /** The report of an evidence bundle; its document is `evidence.json`. */
  readonly signReport: (
    document: Uint8Array,
    files: readonly Attachment[],
    request: SignRequest,
    signal?: AbortSignal,
  ) => Promise<SignedPdf>;
  /** A certificate of pension clearing; its document is the content in JSON. */
  readonly signCertificate: SigningThreads["signPdf"];
  readonly extendPdf: (
    document: Uint8Array,
    request: ArchiveRequest,
    signal?: AbortSignal,
  ) => Promise<ExtendedPdf>;
  readonly verifyPdf: (
    document: Uint8Array,
    request: VerifyRequest,
    signal?: AbortSignal,
  ) => Promise<PdfReport>;
  readonly ready: Promise<void>;
  readonly readings: () => PoolReadings;
  readonly gauges: readonly Collector[];
  readonly close: () => Promise<void>;
};

export type SigningThreadOptions = {
  readonly threads: number;
  readonly ports: SigningPorts;
  readonly onDeath: (cause: unknown) => void;
  readonly computingMsMax?: number;
  /** Usually twice the processor time. */
  readonly waitingMsMax?: number;
  readonly verifyingWaitMsMax?: number;
  readonly heapMbMax?: number;
  readonly worker?: URL;
};

/**
 * The longest time of a task, waits for authorities included: four hops of 5 s each for a first answer, and
 * as many for its fall-back.
 */
const taskMsMax = 60_000;

/** Processor time. A file of 50 MB takes 0.2 s (npm run bench -- signing), one with 42 signatures 1.6 s. */
const computingMsUsualMax = 10_000;

/**
 * A verification that waits longer for a thread is refused with engine_busy, while the caller still waits for
 * its answer.
 */
const verifyingWaitMsUsualMax = 10_000;

/** A signature with two time-stamps and chains of four certificates asks some 20 times. */
const questionsMax = 500;

/** Objects of the file; its bytes are not in the heap. */
const heapMbUsualMax = 768;

const signingThread = new URL("./threads/signing.ts", import.meta.url);

const gauge = (name: string, help: string, value: () => number): Collector => ({
  name,
  help,
  read: () => [{ value: value() }],
});

const gaugesOf = (read: () => PoolReadings): readonly Collector[] => [
  gauge("idem_signing_threads", "Threads alive that sign documents", () => read().threads),
  gauge("idem_signings_waiting", "Documents that wait for a thread", () => read().waiting),
  gauge("idem_signing_threads_died", "Threads that died over a document", () => read().died),
  gauge("idem_signings_ended", "Tasks that were ended because they took too long", () => read().timedOut),
];

/**
 * Reports a full heap as a fault of the file. A thread works on one file at a time and keeps none, so what
 * fills its heap is that file.
 */
const refuseTooLarge = (error: unknown): never => {
  const cause: unknown = error instanceof Failure ? error.cause : undefined;
  if (cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY") {
    throw new Failure("pdf_unreadable", { reason: "its objects are too large for the memory" }, { cause });
  }
  throw error;
};

/** Runs a task with the document, and answers what its thread asks until it ends. */
type WithAnswers = <Result>(
  sent: Uint8Array,
  signal: AbortSignal | undefined,
  run: (asking: Asking, options: RunOptions) => Promise<Result>,
) => Promise<Result>;

const makeWithAnswers =
  (ports: SigningPorts, limits: Pick<AnsweringOptions, "computingMsMax" | "waitingMsMax">): WithAnswers =>
  async (sent, signal, run) => {
    const { port1, port2: port } = new MessageChannel();
    const { end, close } = answerQuestions(port1, { ports, ...limits, readThreadMs, questionsMax });
    const document = ownBytes(sent);
    const transfer = [...buffersOf([document]), port];
    try {
      return await run({ document, port }, { transfer, end, ...(signal !== undefined && { signal }) });
    } finally {
      close();
    }
  };

type Signings = Pick<
  SigningThreads,
  "signDocument" | "signPdf" | "signReport" | "signCertificate" | "extendPdf"
>;

const makeSignings = (
  pool: Pool<SigningTasks>,
  /** For documents that Idem wrote. */
  withAnswers: WithAnswers,
  /** For the files of callers. */
  withFile: WithAnswers,
): Signings => ({
  signDocument: (document, instruction, terms, signal) =>
    withFile(document, signal, (asking, options) =>
      pool.run("signDocument", { ...asking, instruction, terms }, options),
    ),
  signPdf: (document, request, signal) =>
    withFile(document, signal, (asking, options) => pool.run("signPdf", { ...asking, request }, options)),
  signReport: (document, files, request, signal) =>
    withAnswers(document, signal, (asking, options) =>
      pool.run("signReport", { ...asking, files, request }, options),
    ),
  signCertificate: (document, request, signal) =>
    withAnswers(document, signal, (asking, options) =>
      pool.run("signCertificate", { ...asking, request }, options),
    ),
  extendPdf: (document, request, signal) =>
    withFile(document, signal, (asking, options) => pool.run("extendPdf", { ...asking, request }, options)),
});

export const openSigningThreads = ({
  threads,
  ports,
  onDeath,
  computingMsMax = computingMsUsualMax,
  waitingMsMax = 2 * computingMsMax,
  verifyingWaitMsMax = verifyingWaitMsUsualMax,
  heapMbMax = heapMbUsualMax,
  worker = signingThread,
}: SigningThreadOptions): SigningThreads => {
  const pool = makePool<SigningTasks>({
    worker,
    workers: threads,
    queueMax: waitingMax,
    taskMsMax,
    heapMbMax,
    workerData: null,
    onDeath,
  });
  const withAnswers = makeWithAnswers(ports, { computingMsMax, waitingMsMax });
  const share = makeSlowShare(threads, verifyingWaitMsMax);
  const withFile: WithAnswers = (document, signal, run) =>
    share.sign(document.length, signal, () => withAnswers(document, signal, run).catch(refuseTooLarge));
  return {
    ...makeSignings(pool, withAnswers, withFile),
    verifyPdf: (document, request, signal) =>
      share.verify(signal, () =>
        withAnswers(document, undefined, (asking, options) =>
          pool.run("verifyPdf", { ...asking, request }, options),
        ).catch(refuseTooLarge),
      ),
    ready: pool.ready,
    readings: pool.readings,
    gauges: gaugesOf(pool.readings),
    close: pool.close,
  };
};

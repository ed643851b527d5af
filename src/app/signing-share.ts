/** Which files take turns for the threads that sign. */
import { Failure } from "#contract/failure";
import { makeAdmission } from "#machine/threads/admission";
import { orAbort } from "#machine/threads/pool";

/** Each holds a document; more are refused, and try again. */
export const waitingMax = 16;

/** A file of this size takes up to .7 s to read: its steps are bounded by its size (`stepsFor`). */
const shortBytesMax = 256 * 1024;

/** Enters within a time. Fails with engine_busy after it. */
const enterInTime = async (
  admission: ReturnType<typeof makeAdmission>,
  signal: AbortSignal | undefined,
  waitMsMax: number,
): Promise<() => void> => {
  const retryAfterSeconds = Math.ceil(waitMsMax / 1000);
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Failure("engine_busy", { waiting: admission.waiting(), retryAfterSeconds }));
  }, waitMsMax);
  try {
    return await admission.enter(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Lets verifications and long files through to all threads but one, and to a single one in turn: a short file
 * finds a thread beside damaged or hostile ones that take seconds. The others wait here: signatures go first,
 * and verifications wait for a limited time. A verification whose caller has left keeps its place until its
 * thread has ended it.
 */
export const makeSlowShare = (threads: number, waitMsMax: number) => {
  const retryAfterSeconds = Math.ceil(waitMsMax / 1000);
  const slots = Math.max(1, threads - 1);
  const admission = makeAdmission({
    slots,
    waitingMax,
    retryAfterSeconds: () => retryAfterSeconds,
  });
  const enter = (signal: AbortSignal | undefined): Promise<() => void> =>
    enterInTime(admission, signal, waitMsMax);
  const verify = async <Result>(
    signal: AbortSignal | undefined,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    const leave = await enter(signal);
    return await orAbort(run().finally(leave), signal);
  };
  let signaturesWaiting = 0;
  const enterToSign = async (signal: AbortSignal | undefined): Promise<() => void> => {
    if (admission.running() < slots) return await admission.enter(signal);
    if (signaturesWaiting >= waitingMax)
      throw new Failure("engine_busy", { waiting: signaturesWaiting, retryAfterSeconds });
    signaturesWaiting++;
    try {
      return await admission.enter(signal, true);
    } finally {
      signaturesWaiting--;
    }
  };
  const sign = async <Result>(
    bytes: number,
    signal: AbortSignal | undefined,
    run: () => Promise<Result>,
  ): Promise<Result> => {
    if (bytes <= shortBytesMax) return await run();
    const leave = await enterToSign(signal);
    return await run().finally(leave);
  };
  return { verify, sign };
};

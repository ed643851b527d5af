import { setTimeout } from "node:timers/promises";
import { Failure, type FailureCode } from "#contract/failure";
import type { FinishAnswer, Held, Store, Validation } from "#storage/store";
import type { FailValidation, Outcome, Postponed, RunValidation } from "./outcome.ts";
import { afterPause } from "./pause.ts";

export type ValidationWorkerOptions = {
  /** Unique to this run of this process: a restarted worker takes a new name. */
  readonly name: string;
  /** Validations that are worked on at once; as many as the engine has threads. */
  readonly concurrency: number;
  /** A worker that is silent this long has lost its validations to others. */
  readonly leaseMs: number;
  /** Longest pause between two looks for work that another process left; a local start is told at once. */
  readonly pollMs: number;
  /** A validation that met an error or the death of a worker this often is given up (FAILED, 648). */
  readonly attemptsMax: number;
};

export const defaultValidationWorkerOptions = {
  pollMs: 5_000,
  attemptsMax: 3,
} as const satisfies Partial<ValidationWorkerOptions>;

export type ValidationWorkerDeps = {
  readonly store: Pick<Store, "leaseValidations" | "renewLease" | "postponeValidation" | "finishValidation">;
  readonly runValidation: RunValidation;
  readonly failValidation: FailValidation;
  readonly clock: () => Date;
  readonly random: () => number;
  /** Operator's log: the validation's id and the error, never what it read. */
  readonly onError: (what: string, validationId: string | undefined, error: unknown) => void;
  readonly options: ValidationWorkerOptions;
};

/**
 * Works off validations under leases. A killed worker's lease runs out and another takes over; an end is written
 * only by the lease's holder, so that nothing ends twice. `stop` takes no more work and resolves when what runs has
 * ended. Idle it sleeps on one timer.
 */
export type ValidationWorker = {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  readonly poke: () => void;
};

export const makeValidationWorker = (deps: ValidationWorkerDeps): ValidationWorker => {
  const { options, store, clock, random, onError } = deps;
  const running = new Set<Promise<void>>();
  const bell = makeBell();
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;

  const takeWork = async (): Promise<boolean> => {
    const limit = options.concurrency - running.size;
    if (limit <= 0) {
      return false;
    }
    const { name: worker, leaseMs } = options;
    const leased = await store.leaseValidations({ worker, leaseMs, limit, now: clock() });
    for (const validation of leased) {
      const job = work(deps, validation).finally(() => {
        running.delete(job);
        bell.ring();
      });
      running.add(job);
    }
    return leased.length > 0;
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const found = await takeWork().catch((error: unknown) => {
        onError("lease", undefined, error);
        return false;
      });
      if (!found && !stopping.signal.aborted) {
        // Jitter keeps the workers of many processes from asking at the same moment.
        await bell.wait(options.pollMs * (0.8 + 0.4 * random()));
      }
    }
    await Promise.all(running);
  };

  return {
    start: () => {
      loop ??= run();
    },
    stop: async () => {
      stopping.abort();
      bell.ring();
      await loop;
    },
    poke: bell.ring,
  };
};

/** Waits until it is rung or the time is over; a ring while nobody waits is kept for the next wait. */
const makeBell = () => {
  let isRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: (): void => {
      isRung = true;
      wake?.();
    },
    wait: async (ms: number): Promise<void> => {
      if (!isRung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = globalThis.setTimeout(resolve, ms);
        wake = resolve;
        await promise;
        clearTimeout(timer);
        wake = undefined;
      }
      isRung = false;
    },
  };
};

/** One leased validation to its end, or back to the queue. Never rejects: the loop must go on. */
const work = async (deps: ValidationWorkerDeps, validation: Validation): Promise<void> => {
  const { options, store, clock, onError } = deps;
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      const until = new Date(clock().getTime() + options.leaseMs);
      if (!(await store.renewLease(heldBy(deps, validation), until))) {
        lost.abort();
      }
    } catch (error) {
      onError("renew", validation.id, error);
    }
  };
  const renewal = setInterval(() => void renew(), options.leaseMs / 3);
  try {
    if (validation.attempts > options.attemptsMax) {
      await giveUp(deps, validation);
    } else {
      await runToEnd(deps, validation, lost.signal);
    }
  } catch (error) {
    onError("validate", validation.id, error);
    await afterError(deps, validation, error);
  } finally {
    clearInterval(renewal);
  }
};

const heldBy = (
  { options: { name: worker } }: ValidationWorkerDeps,
  { tenantId, id, revision }: Validation,
): Held => ({ tenantId, id, revision, worker });

const finish = (
  { store, options }: ValidationWorkerDeps,
  { step, ...outcome }: Outcome,
): Promise<FinishAnswer> => store.finishValidation({ ...outcome, worker: options.name }, step);

/** Decisions that met others over one number more often than this are an error, and given back. */
const decisionsMax = 5;

/** Decides anew where another document of the same number was approved meanwhile: nothing of the first decision was written. */
const runToEnd = async (
  deps: ValidationWorkerDeps,
  validation: Validation,
  signal: AbortSignal,
): Promise<void> => {
  for (let tries = 0; tries < decisionsMax; tries++) {
    const outcome = await patiently(() => deps.runValidation(validation, signal), signal);
    if ("until" in outcome) {
      await postpone(deps, validation, outcome.until);
      return;
    }
    if ((await finish(deps, outcome)) !== "outdated") {
      return;
    }
  }
  throw new Error("The number was claimed by another during every decision");
};

/**
 * Back to the queue, or to an end. An outage passes and is no attempt; whatever else went wrong, in the engine or in our
 * own code, may go wrong every time and must end. Never rejects.
 */
const afterError = async (
  deps: ValidationWorkerDeps,
  validation: Validation,
  error: unknown,
): Promise<void> => {
  if (isFailure(error, passing)) {
    await postpone(deps, validation, afterOutage(deps, validation));
  } else if (validation.attempts < deps.options.attemptsMax && !isFailure(error, hopeless)) {
    await giveBack(deps, validation);
  } else {
    await giveUp(deps, validation);
  }
};

/** Ends it FAILED: with a record, or where none can be made or written, without one. Never rejects. */
const giveUp = async (deps: ValidationWorkerDeps, validation: Validation): Promise<void> => {
  const { failValidation, clock, onError } = deps;
  const { tenantId, id, revision } = validation;
  try {
    await finish(deps, await failValidation(validation));
  } catch (error) {
    onError("give up", id, error);
    if (isFailure(error, passing)) {
      await postpone(deps, validation, afterOutage(deps, validation));
      return;
    }
    const nothing = { events: [], evidence: [] };
    const bare = { tenantId, id, revision, status: "FAILED", at: clock(), step: nothing } as const;
    await finish(deps, bare).catch((cause: unknown) => onError("end", id, cause));
  }
};

/** Not the document's fault: store, bucket or master key are not there, or the process ends. */
const passing: readonly FailureCode[] = ["store_unavailable", "search_unavailable", "shutting_down"];

/** A picture that cannot be read will not become readable. */
const hopeless: readonly FailureCode[] = ["image_unreadable", "image_unsupported", "image_too_large"];

const isFailure = (error: unknown, codes: readonly FailureCode[]): boolean =>
  error instanceof Failure && codes.includes(error.code);

/** A full queue is the service's load and not the document's fault: waited out under the lease, never counted. */
const patiently = async (
  run: () => Promise<Outcome | Postponed>,
  signal: AbortSignal,
): Promise<Outcome | Postponed> => {
  for (let pauseMs = 100; ; pauseMs = Math.min(2000, pauseMs * 2)) {
    try {
      return await run();
    } catch (error) {
      if (!isFailure(error, ["engine_busy"]) || signal.aborted) {
        throw error;
      }
    }
    await setTimeout(pauseMs);
  }
};

const afterOutage = (
  { clock }: ValidationWorkerDeps,
  { createdAt, waitsSince = createdAt }: Validation,
): Date => afterPause(clock(), waitsSince);

/** No attempt is counted. If even this fails, the lease runs out by itself, as after a crash. */
const postpone = async (deps: ValidationWorkerDeps, validation: Validation, until: Date): Promise<void> => {
  try {
    await deps.store.postponeValidation(heldBy(deps, validation), until);
  } catch (error) {
    deps.onError("postpone", validation.id, error);
  }
};

/**
 * Makes a validation due again after a pause that grows with its attempts, so that an engine that is busy or
 * failing is not asked in a circle. If even this fails, the lease runs out by itself.
 */
const giveBack = async (deps: ValidationWorkerDeps, validation: Validation): Promise<void> => {
  const { store, clock, options, onError } = deps;
  const { id, attempts } = validation;
  const until = new Date(clock().getTime() + Math.min(options.leaseMs, 500 * 4 ** attempts));
  try {
    await store.renewLease(heldBy(deps, validation), until);
  } catch (error) {
    onError("give back", id, error);
  }
};

/**
 * Steps that may still be taken in reading one file. A step is one byte that a loop of ours passes, or work
 * that takes as long. A hostile file must not decide how long a thread computes: the same file takes the same
 * steps on every machine.
 */
export type Steps = {
  /** Counts steps. Throws TooManySteps when none are left. */
  readonly take: (count: number) => void;
  /** Counts bytes that a search, a hash or an inflation of the platform passes. */
  readonly takeNative: (bytes: number) => void;
  readonly taken: () => number;
};

/** The file takes more steps than its size allows. It is the file's fault, never the machine's. */
export class TooManySteps extends Error {
  override readonly name = "TooManySteps";

  constructor() {
    super("reading it takes too many steps");
  }
}

/** An error with its stack takes some 8 µs. */
export const faultSteps = 500;

/**
 * The result of `read`; undefined where the file has a fault of this kind there, which costs as many steps as
 * an error takes time.
 */
export const tryRead = <Value>(
  steps: Steps,
  fault: new (message: string) => Error,
  read: () => Value,
): Value | undefined => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof fault)) throw error;
    steps.take(faultSteps);
    return undefined;
  }
};

/**
 * A search, SHA-256 and inflation of the platform take .3 to 3 ns a byte, a loop of ours 5 to 30:
 * `node lab/scripts/count-steps.ts`.
 */
const nativeBytesPerStep = 8;

/**
 * Steps for the smallest file, and for each byte. Honest files take 1 to 45 a byte:
 * `node lab/scripts/count-steps.ts`.
 */
const [stepsLeast, stepsPerByte] = [10_000_000, 100];

/** The steps that a file of this size may take, and never more than `stepsMax`. */
export const stepsFor = (bytes: number, stepsMax: number): number =>
  Math.min(stepsMax, stepsLeast + stepsPerByte * bytes);

/** Counts up to a limit. */
export const makeSteps = (stepsMax: number): Steps => {
  let taken = 0;
  const take = (count: number): void => {
    taken += count;
    if (taken > stepsMax) throw new TooManySteps();
  };
  return { take, takeNative: (bytes) => take(bytes / nativeBytesPerStep), taken: () => taken };
};

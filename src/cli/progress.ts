/** Progress of long work on stderr. Made by {@link makeProgress}. */
export type Progress = {
  /** `done` of `total`, in the unit of the work. */
  readonly show: (done: number, total: number) => void;
  readonly end: () => void;
};

/** The part of a stream that progress needs. */
export type ProgressOutput = { readonly isTTY?: boolean; readonly write: (text: string) => unknown };

/** A terminal gets its line anew five times a second; a pipe gets a line every ten seconds. */
const paceMs = { terminal: 200, pipe: 10_000 };

/** Reports the share that is done, and the time that is left at the pace so far. */
export const makeProgress = (
  what: string,
  output: ProgressOutput = process.stderr,
  now: () => number = () => performance.now(),
): Progress => {
  const isTerminal = output.isTTY === true;
  const pace = isTerminal ? paceMs.terminal : paceMs.pipe;
  const startMs = now();
  let shownMs = startMs;
  let isShown = false;
  return {
    show: (done, total) => {
      const nowMs = now();
      if (nowMs - shownMs < pace || total <= 0) return;
      shownMs = nowMs;
      isShown = true;
      const share = Math.min(1, done / total);
      const left = share === 0 ? undefined : ((nowMs - startMs) * (1 - share)) / share;
      const line = `${what}: ${(share * 100).toFixed(0)} %${left === undefined ? "" : `, ${inWords(left)} left`}`;
      output.write(isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
    },
    end: () => {
      if (isTerminal && isShown) output.write("\r\u001b[K");
    },
  };
};

const inWords = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
};

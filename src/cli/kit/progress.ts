import { print } from "../command.ts";

/** Progress of long work on stderr. Made by {@link makeProgress}. */
export type Progress = {
  /** `done` of `total`, in the unit of the work. */
  readonly show: (done: number, total: number) => void;
  /** A line beside it, such as an image that could not be read. */
  readonly note: (line: string) => void;
  /** Clears the line of a terminal. */
  readonly end: () => void;
};

/** What work reports of itself, without its end. */
export type WorkProgress = Pick<Progress, "show" | "note">;

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
  let startMs = now();
  let shownMs = startMs;
  let doneBefore = 0;
  let isShown = false;
  const end = (): void => {
    if (isTerminal && isShown) output.write("\r\u001b[K");
    isShown = false;
  };
  return {
    show: (done, total) => {
      const nowMs = now();
      // The next part of the work has a pace of its own.
      if (done < doneBefore) startMs = nowMs;
      doneBefore = done;
      if (nowMs - shownMs < pace || total <= 0) return;
      shownMs = nowMs;
      isShown = true;
      const share = Math.min(1, done / total);
      const left = share === 0 ? undefined : ((nowMs - startMs) * (1 - share)) / share;
      const line = `${what}: ${(share * 100).toFixed(0)} %${left === undefined ? "" : `, ${inWords(left)} left`}`;
      output.write(isTerminal ? `\r${line}\u001b[K` : `${line}\n`);
    },
    note: (line) => {
      end();
      output.write(`${line}\n`);
    },
    end,
  };
};

const inWords = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
};

/** Results on stdout, and how far the work is on stderr: a result clears the line of a terminal first. */
export const openVoices = () => {
  const progress = makeProgress("Measured");
  const out = (line: string): void => {
    progress.end();
    print(line);
  };
  return { out, progress };
};

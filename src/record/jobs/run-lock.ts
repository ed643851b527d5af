/** Ends a run, or the lease command before it. A second call has no effect. */
export type EndRun = () => void;

/**
 * Which jobs of this process run at the same time, over all its loops. A poisoned job runs alone, so that a
 * death of the process counts against it and no other job. Made by {@link makeRunLock}, one for each process.
 */
export type RunLock = {
  /** Resolves when no job runs alone and none waits to. */
  readonly share: () => Promise<EndRun>;
  /** Resolves when no other job runs. Until its end none starts. First come, first served. */
  readonly exclude: () => Promise<EndRun>;
};

type Waiter = { readonly isAlone: boolean; readonly admit: () => void };

export const makeRunLock = (): RunLock => {
  const waiters: Waiter[] = [];
  let sharing = 0;
  let isAlone = false;
  const mayEnter = (waiter: Waiter): boolean => !isAlone && (!waiter.isAlone || sharing === 0);
  const admitNext = (): void => {
    while (waiters[0] !== undefined && mayEnter(waiters[0])) waiters.shift()?.admit();
  };
  const enter = (alone: boolean): Promise<EndRun> =>
    new Promise((resolve) => {
      const admit = (): void => {
        if (alone) isAlone = true;
        else sharing += 1;
        resolve(once(leave));
      };
      const leave = (): void => {
        if (alone) isAlone = false;
        else sharing -= 1;
        admitNext();
      };
      waiters.push({ isAlone: alone, admit });
      admitNext();
    });
  return { share: () => enter(false), exclude: () => enter(true) };
};

const once = (end: () => void): EndRun => {
  let isOpen = true;
  return () => {
    if (isOpen) end();
    isOpen = false;
  };
};

import { Failure } from "#contract/failure";

/**
 * Runs one task for an owner when its turn comes. Fails with engine_busy where too many wait. Made by
 * {@link makePasswordQueue}.
 */
export type InPasswordTurn = <Result>(owner: string, task: () => Promise<Result>) => Promise<Result>;

/**
 * Checks at once. Each takes a thread of the pool that also reads files and resolves names (4 threads by
 * default), for some 150 ms: one leaves the others to everything else.
 */
const runningMax = 1;

/**
 * Checks that wait or run: the last of them ends within some 2 seconds, before a caller gives up. Our choice.
 */
export const checksMax = 12;

/**
 * Checks of one owner (a tenant, in both its environments) among them: half, so that no owner takes the
 * places of all. Our choice.
 */
export const checksOfOwnerMax = checksMax / 2;

/** A small queue for the checks of passwords, first come, first served. */
export const makePasswordQueue = (): InPasswordTurn => {
  const waiting: (() => void)[] = [];
  const counts = new Map<string, number>();
  let running = 0;
  let all = 0;
  const enter = (owner: string): void => {
    const own = counts.get(owner) ?? 0;
    if (all >= checksMax || own >= checksOfOwnerMax) throw new Failure("engine_busy");
    all += 1;
    counts.set(owner, own + 1);
  };
  const leave = (owner: string): void => {
    all -= 1;
    const own = (counts.get(owner) ?? 1) - 1;
    if (own > 0) counts.set(owner, own);
    else counts.delete(owner);
  };
  const turn = async (): Promise<void> => {
    if (running < runningMax) running += 1;
    // The check that ends hands its turn over.
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const handOver = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (owner, task) => {
    enter(owner);
    try {
      await turn();
      try {
        return await task();
      } finally {
        handOver();
      }
    } finally {
      leave(owner);
    }
  };
};

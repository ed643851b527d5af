import { setTimeout as sleep } from "node:timers/promises";

type Act<Args extends readonly unknown[], Result> = (...args: Args) => Promise<Result>;

/**
 * Watches actions of this process, and kills it at a point: `move 2 before` is before the second action of
 * the kind `move`.
 */
export const makeKillPoint = (point: string) => {
  const counts = new Map<string, number>();
  const reach = async (place: string): Promise<void> => {
    if (point !== place) return;
    process.kill(process.pid, "SIGKILL");
    await sleep(60_000);
  };
  return <Args extends readonly unknown[], Result>(kind: string, act: Act<Args, Result>): Act<Args, Result> =>
    async (...args) => {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      await reach(`${kind} ${count} before`);
      const result = await act(...args);
      await reach(`${kind} ${count} after`);
      return result;
    };
};

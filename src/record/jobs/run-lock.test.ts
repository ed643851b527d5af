import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRunLock } from "./run-lock.ts";

/** Lets every promise that can resolve do so. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe("the run lock", () => {
  it("lets jobs run together, and one job alone after them", async () => {
    const lock = makeRunLock();
    const ends = [await lock.share(), await lock.share()];
    let isAlone = false;
    const alone = lock.exclude().then((end) => {
      isAlone = true;
      return end;
    });
    for (const end of ends) {
      await settle();
      expect(isAlone).toBe(false);
      end();
    }
    await settle();
    expect(isAlone).toBe(true);
    (await alone)();
  });

  it("lets no job overtake the job that waits to run alone", async () => {
    const lock = makeRunLock();
    const end = await lock.share();
    const order: string[] = [];
    const enter = async (name: string, entered: Promise<() => void>): Promise<void> => {
      const leave = await entered;
      order.push(name);
      await settle();
      leave();
    };
    const all = [
      enter("alone", lock.exclude()),
      enter("later", lock.share()),
      enter("alone too", lock.exclude()),
    ];
    await settle();
    expect(order).toEqual([]);
    end();
    await Promise.all(all);
    expect(order).toEqual(["alone", "later", "alone too"]);
  });

  it("counts the end of a run once", async () => {
    const lock = makeRunLock();
    const [first] = [await lock.share(), await lock.share()];
    first();
    first();
    let isAlone = false;
    void lock.exclude().finally(() => {
      isAlone = true;
    });
    await settle();
    expect(isAlone).toBe(false);
  });

  it("never lets another job run beside one that runs alone, and lets every job run", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (kinds) => {
        const lock = makeRunLock();
        const inside: boolean[] = [];
        await Promise.all(
          kinds.map(async (isAlone) => {
            const end = await (isAlone ? lock.exclude() : lock.share());
            inside.push(isAlone);
            expect(inside.length === 1 || inside.every((one) => !one)).toBe(true);
            await settle();
            inside.splice(inside.indexOf(isAlone), 1);
            end();
          }),
        );
      }),
      { numRuns: 100 },
    );
  });
});

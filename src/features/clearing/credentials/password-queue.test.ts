import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { checksMax, checksOfOwnerMax, makePasswordQueue } from "./password-queue.ts";

/** Checks that end when the test says so, with the names of those that run. */
const makeChecks = () => {
  const inTurn = makePasswordQueue();
  const running: { readonly name: string; readonly end: (error?: Error) => void }[] = [];
  const ended: string[] = [];
  const check = (owner: string, name: string) =>
    inTurn(owner, async () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      running.push({ name, end: (error) => (error === undefined ? resolve() : reject(error)) });
      try {
        await promise;
      } finally {
        running.splice(
          running.findIndex((one) => one.name === name),
          1,
        );
        ended.push(name);
      }
    });
  return { check, running, ended };
};

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("the queue of passwords", () => {
  it("checks one at a time, in the order of arrival, a failed one included", async () => {
    const { check, running, ended } = makeChecks();
    const all = ["a", "b", "c"].map((name) => check(`owner of ${name}`, name).catch(() => undefined));
    for (const name of ["a", "b", "c"]) {
      await settled();
      expect(running.map((one) => one.name)).toEqual([name]);
      running[0]?.end(name === "b" ? new Error("broken") : undefined);
    }
    await Promise.all(all);
    expect(ended).toEqual(["a", "b", "c"]);
  });

  it("has places for each owner, and for all of them, and refuses the next with engine_busy", async () => {
    const { check, running } = makeChecks();
    const owners = Array.from({ length: checksMax / checksOfOwnerMax }, (_, n) => `owner ${n}`);
    const all = owners.flatMap((owner) =>
      Array.from({ length: checksOfOwnerMax }, (_, n) => check(owner, `${owner} ${n}`)),
    );
    for (const owner of ["owner 0", "another owner"]) {
      await expect(check(owner, "refused")).rejects.toMatchObject({ code: "engine_busy" });
    }
    await settled();
    running[0]?.end();
    await all[0];
    const next = check("another owner", "next");
    await expect(check("owner 0", "refused")).rejects.toBeInstanceOf(Failure);
    for (let n = 0; n < checksMax; n += 1) {
      await settled();
      running[0]?.end();
    }
    await Promise.all([...all, next]);
  });

  it("gives a place back", async () => {
    const { check, running } = makeChecks();
    for (let n = 0; n < 3 * checksMax; n += 1) {
      const one = check("owner", `check ${n}`);
      await settled();
      running[0]?.end();
      await one;
    }
    expect(running).toEqual([]);
  });
});

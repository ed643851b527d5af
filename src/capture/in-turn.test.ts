import { expect, it } from "vitest";
import { makeInTurn } from "./in-turn.ts";

/** Works that end when they are asked to, and the order in which they began. */
const makeWorks = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => ends.set(name, () => resolve(name)));
  };
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  };
  const end = async (name: string): Promise<void> => {
    await settle();
    ends.get(name)?.();
    await settle();
  };
  return { begun, work, end, settle };
};

const { signal } = new AbortController();

it("runs as many works at once as are allowed, and no more", async () => {
  const inTurn = makeInTurn(2);
  const { begun, work, end, settle } = makeWorks();
  const all = ["a", "b", "c"].map((name, i) => inTurn(work(name), i, signal));
  await settle();
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  expect(begun).toEqual(["a", "b", "c"]);
  await end("b");
  await end("c");
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
});

it("starts the one that came first, also where it comes back after others", async () => {
  const inTurn = makeInTurn(1);
  const { begun, work, end } = makeWorks();
  const cut = new AbortController();
  const running = inTurn(work("running"), 0, signal);
  const first = inTurn(work("first"), 1, cut.signal);
  void inTurn(work("second"), 2, signal);
  void inTurn(work("third"), 2, signal);
  cut.abort(new Error("timed out"));
  await expect(first).rejects.toThrow("timed out");
  void inTurn(work("first again"), 1, signal);
  await end("running");
  await running;
  await end("first again");
  await end("second");
  expect(begun).toEqual(["running", "first again", "second", "third"]);
});

it("never starts a work whose call is over", async () => {
  const inTurn = makeInTurn(1);
  const { begun, work, end } = makeWorks();
  await expect(inTurn(work("late"), 0, AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  const running = inTurn(work("running"), 1, signal);
  await end("running");
  await running;
  expect(begun).toEqual(["running"]);
});

it("gives the place of a failed work to the next", async () => {
  const inTurn = makeInTurn(1);
  const { begun, work, end } = makeWorks();
  const failed = inTurn(() => Promise.reject(new Error("unreadable")), 0, signal);
  const next = inTurn(work("next"), 1, signal);
  await expect(failed).rejects.toThrow("unreadable");
  await end("next");
  expect(await next).toBe("next");
  expect(begun).toEqual(["next"]);
});

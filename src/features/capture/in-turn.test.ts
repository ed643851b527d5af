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
const at = (id: string, since: number) => ({ id, since });

it("runs as many works at once as are allowed, and no more", async () => {
  const { run } = makeInTurn(2);
  const { begun, work, end, settle } = makeWorks();
  const all = ["a", "b", "c"].map((name, i) => run(work(name), at(name, i), signal));
  await settle();
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  expect(begun).toEqual(["a", "b", "c"]);
  await end("b");
  await end("c");
  expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
});

it("starts the one that came first, also where it comes back after others", async () => {
  const { run } = makeInTurn(1);
  const { begun, work, end } = makeWorks();
  const cut = new AbortController();
  const running = run(work("running"), at("running", 0), signal);
  const first = run(work("first"), at("first", 1), cut.signal);
  void run(work("second"), at("second", 2), signal);
  void run(work("third"), at("third", 2), signal);
  cut.abort(new Error("timed out"));
  await expect(first).rejects.toThrow("timed out");
  void run(work("first again"), at("first again", 1), signal);
  await end("running");
  await running;
  await end("first again");
  await end("second");
  expect(begun).toEqual(["running", "first again", "second", "third"]);
});

it("never starts a work whose call is over", async () => {
  const { run } = makeInTurn(1);
  const { begun, work, end } = makeWorks();
  await expect(run(work("late"), at("late", 0), AbortSignal.abort(new Error("gone")))).rejects.toThrow(
    "gone",
  );
  const running = run(work("running"), at("running", 1), signal);
  await end("running");
  await running;
  expect(begun).toEqual(["running"]);
});

it("gives the place of a failed work to the next", async () => {
  const { run } = makeInTurn(1);
  const { begun, work, end } = makeWorks();
  const failed = run(() => Promise.reject(new Error("unreadable")), at("failed", 0), signal);
  const next = run(work("next"), at("next", 1), signal);
  await expect(failed).rejects.toThrow("unreadable");
  await end("next");
  expect(await next).toBe("next");
  expect(begun).toEqual(["next"]);
});

it("counts the works before each one that waits, and none for any other", async () => {
  const { run, countAhead } = makeInTurn(2);
  const { work, end, settle } = makeWorks();
  const cut = new AbortController();
  const counts = () => ["a", "b", "late", "early", "as early", "unknown"].map(countAhead);
  for (const name of ["a", "b"]) void run(work(name), at(name, 0), signal);
  void run(work("late"), at("late", 9), signal);
  const early = run(work("early"), at("early", 1), cut.signal);
  void run(work("as early"), at("as early", 1), signal);
  await settle();
  expect(counts()).toEqual([undefined, undefined, 4, 2, 3, undefined]);
  cut.abort(new Error("timed out"));
  await expect(early).rejects.toThrow("timed out");
  expect(counts()).toEqual([undefined, undefined, 3, undefined, 2, undefined]);
  await end("a");
  expect(counts()).toEqual([undefined, undefined, 2, undefined, undefined, undefined]);
});

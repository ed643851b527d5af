import { expect, it } from "vitest";
import { makeProgress } from "./progress.ts";

const run = (isTTY: boolean) => {
  const written: string[] = [];
  let ms = 0;
  const progress = makeProgress("Copy", { isTTY, write: (text) => written.push(text) }, () => ms);
  const showAt = (timeMs: number, done: number, total = 100) => {
    ms = timeMs;
    progress.show(done, total);
  };
  return { written, showAt, end: progress.end, note: progress.note };
};

it("a pipe gets a line every ten seconds, with the time that is left", () => {
  const { written, showAt, end } = run(false);
  showAt(9_999, 10);
  showAt(10_000, 25);
  showAt(19_999, 30);
  showAt(20_000, 40);
  end();
  expect(written).toStrictEqual(["Copy: 25 %, 30 s left\n", "Copy: 40 %, 30 s left\n"]);
});

it("a terminal gets its line anew, and a clear line at the end", () => {
  const { written, showAt, end } = run(true);
  showAt(199, 10);
  showAt(200, 0);
  showAt(400, 100);
  end();
  expect(written).toStrictEqual(["\rCopy: 0 %\u001b[K", "\rCopy: 100 %, 0 s left\u001b[K", "\r\u001b[K"]);
});

it("work without a total has no line", () => {
  const { written, showAt } = run(true);
  showAt(500, 0, 0);
  expect(written).toStrictEqual([]);
});

it("a line beside it stands alone on a terminal", () => {
  const { written, showAt, note, end } = run(true);
  showAt(200, 10);
  note("a.jpg: unreadable");
  end();
  expect(written).toStrictEqual(["\rCopy: 10 %, 2 s left\u001b[K", "\r\u001b[K", "a.jpg: unreadable\n"]);
});

it("the next part of the work begins its own time", () => {
  const { written, showAt } = run(false);
  showAt(100_000, 100);
  showAt(100_001, 0);
  showAt(110_001, 50);
  expect(written.at(-1)).toBe("Copy: 50 %, 10 s left\n");
});

it("more than two minutes are shown as minutes", () => {
  const { written, showAt } = run(false);
  showAt(20_000, 4);
  expect(written).toStrictEqual(["Copy: 4 %, 8 min left\n"]);
});

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
  return { written, showAt, end: progress.end };
};

it("a pipe gets a line every ten seconds, with the time that is left", () => {
  const { written, showAt, end } = run(false);
  showAt(9_999, 10);
  showAt(10_000, 25);
  showAt(19_999, 30);
  showAt(20_000, 4);
  end();
  expect(written).toStrictEqual(["Copy: 25 %, 30 s left\n", "Copy: 4 %, 8 min left\n"]);
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

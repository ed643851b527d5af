import { expect, it } from "vitest";
import { measureCaptures } from "./capture-load/measure.ts";

it("accepts each capture once, although the process is killed while persons capture", async () => {
  const kills = process.env["LONG_TESTS"] === "1" ? 10 : 1;
  const report = await measureCaptures({
    sessions: 2 * kills,
    callers: 0,
    alone: 0,
    thinkMs: 4_000,
    kills,
    workers: 1,
  });
  expect(report).toMatchObject({ accepted: 2 * kills, judged: 2 * kills, others: [] });
});

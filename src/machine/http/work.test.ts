import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeWorks } from "./work.ts";

const caller = (): AbortSignal => new AbortController().signal;

const hours = 3_600_000;

describe("a handler within its time", () => {
  it.each([
    ["answers", () => Promise.resolve("an answer")],
    ["refuses", () => Promise.reject(new Failure("request_invalid"))],
  ])("leaves no listener behind when it %s, which would hold the whole call in memory", async (_, handle) => {
    const works = makeWorks(hours);
    const signals: AbortSignal[] = [];
    await works
      .run(caller(), (signal) => {
        signals.push(signal);
        return handle();
      })
      .catch(() => undefined);
    expect(signals.map((signal) => getEventListeners(signal, "abort").length)).toStrictEqual([0]);
  });

  it("ends with timed_out, and its signal aborts", async () => {
    const works = makeWorks(5);
    const seen = Promise.withResolvers<AbortSignal>();
    const run = works.run(caller(), (signal) => {
      seen.resolve(signal);
      return sleep(hours, undefined, { signal, ref: false });
    });
    await expect(run).rejects.toMatchObject({ code: "timed_out" });
    expect((await seen.promise).aborted).toBe(true);
  });

  it("ends with shutting_down when the server stops, and runs no further handler", async () => {
    const works = makeWorks(hours);
    const run = works.run(caller(), (signal) => sleep(hours, undefined, { signal, ref: false }));
    works.stop();
    await expect(run).rejects.toMatchObject({ code: "shutting_down" });
    let hasRun = false;
    const later = works.run(caller(), async () => {
      hasRun = true;
    });
    await expect(later).rejects.toMatchObject({ code: "shutting_down" });
    expect(hasRun).toBe(false);
  });

  it("ends with the reason of a caller that left", async () => {
    const left = new AbortController();
    const run = makeWorks(hours).run(left.signal, (signal) =>
      sleep(hours, undefined, { signal, ref: false }),
    );
    left.abort(new Error("The caller left"));
    await expect(run).rejects.toThrow("The caller left");
  });
});

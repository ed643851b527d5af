import { describe, expect, it } from "vitest";
import { Failure, type FailureCode } from "#contract/failure";
import { goodImage } from "#support/face/measured";
import { measureOrBroken } from "./service.ts";

const wanted = { template: true, liveness: false, attributes: false };

const measured = async (measure: () => Promise<typeof goodImage>, signal = new AbortController().signal) => {
  const reported: unknown[] = [];
  const onError = (_note: string, error: unknown): void => void reported.push(error);
  const result = await measureOrBroken({ engine: { measure }, onError }, new Uint8Array(), wanted, signal);
  return { result, reported };
};

describe("the measuring of an image", () => {
  it("returns what the engine measured, and reports nothing", async () => {
    expect(await measured(async () => goodImage)).toEqual({ result: goodImage, reported: [] });
  });

  it("turns an error of the engine into a result, and reports its cause to the operator", async () => {
    const cause = new Error("The network broke");
    const { result, reported } = await measured(() => Promise.reject(cause));
    expect([result, reported]).toEqual([{ kind: "broken" }, [cause]]);
  });

  it.each(["engine_busy", "timed_out", "shutting_down"] as const satisfies readonly FailureCode[])(
    "passes %s on, so that nothing is recorded",
    async (code) => {
      await expect(measured(() => Promise.reject(new Failure(code)))).rejects.toMatchObject({ code });
    },
  );

  it("holds any other failure for a broken engine", async () => {
    const { result } = await measured(() => Promise.reject(new Failure("engine_failed")));
    expect(result).toEqual({ kind: "broken" });
  });

  it("passes every error of an aborted call on", async () => {
    const cause = new Error("The caller left");
    const rejected = measured(() => Promise.reject(cause), AbortSignal.abort(cause));
    await expect(rejected).rejects.toBe(cause);
  });
});

import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { candidatesMax, makeDeduplication } from "./deduplication.ts";
import type { SearchFaces } from "./search-faces.ts";

const caller = { tenantId: "t", environment: "test" } as const;
const call = (signal = new AbortController().signal) => ({ caller, signal });

/** A deduplication that refuses duplicates. Its searches wait until the gate opens and then find no match. */
const behindGate = () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const searchFaces: SearchFaces = async (list) => {
    await gate;
    return { list, size: 0, missing: 0, scoreMin: 3, sureScoreMin: 4, matches: [], searchedAt: 1 };
  };
  const policy = { duplicates: "refuse", fpir: { review: 0.1, refusal: 0.01 } } as const;
  return { open, ...makeDeduplication({ searchFaces, policy }) };
};

/** A weak reference holds its target until the present task ends. */
const collectGarbage = async () => {
  setFlagsFromString("--expose-gc");
  await setImmediate();
  runInNewContext("gc")();
};

describe("enrolment candidates when duplicates are refused", () => {
  it.each(["while it waits", "during the search"])(
    "are not enrolled after their call has ended %s",
    async (when) => {
      const { deduplicate, open } = behindGate();
      const ending = new AbortController();
      const before =
        when === "while it waits" ? [deduplicate(call(), [new Uint8Array()], async () => "before")] : [];
      let isEnrolled = false;
      const late = deduplicate(call(ending.signal), [new Uint8Array()], async () => {
        isEnrolled = true;
      });
      const next = deduplicate(call(), [new Uint8Array()], async () => "next");
      ending.abort(new Failure("timed_out"));
      open();
      await expect(late).rejects.toMatchObject({ code: "timed_out" });
      expect(isEnrolled).toBe(false);
      expect(await Promise.all([...before, next])).toContain("next");
    },
  );

  it("fail with engine_busy while too many wait", async () => {
    const { deduplicate, open } = behindGate();
    const one = () => deduplicate(call(), [new Uint8Array()], async () => "enrolled");
    const all = Array.from({ length: candidatesMax }, one);
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    open();
    expect(await Promise.all(all)).toHaveLength(candidatesMax);
    expect(await one()).toBe("enrolled");
  });

  it("give their place to others if their call ends while they wait", async () => {
    const { deduplicate, open } = behindGate();
    const one = (signal?: AbortSignal) =>
      deduplicate(call(signal), [new Uint8Array()], async () => "enrolled");
    const ending = new AbortController();
    const staying = Array.from({ length: candidatesMax - 1 }, () => one());
    const gone = one(ending.signal);
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    ending.abort(new Failure("timed_out"));
    const late = one();
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    open();
    await expect(gone).rejects.toMatchObject({ code: "timed_out" });
    expect(await Promise.all([...staying, late])).toHaveLength(candidatesMax);
  });

  it("leave no template in memory if their call ends while they wait", async () => {
    const { deduplicate, open } = behindGate();
    const ending = new AbortController();
    const atWork = deduplicate(call(), [new Uint8Array()], async () => "enrolled");
    const waiting = () => {
      const template = new Uint8Array(1024);
      const gone = deduplicate(call(ending.signal), [template], async () => template.length);
      return { gone, kept: new WeakRef(template) };
    };
    const { gone, kept } = waiting();
    ending.abort(new Failure("timed_out"));
    await expect(gone).rejects.toMatchObject({ code: "timed_out" });
    await collectGarbage();
    expect(kept.deref()).toBeUndefined();
    open();
    expect(await atWork).toBe("enrolled");
  });
});

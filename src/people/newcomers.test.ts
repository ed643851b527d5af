import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Failure } from "../contract/failure.ts";
import { makeNewcomers, newcomersMax } from "./newcomers.ts";
import type { SearchFaces } from "./search-faces.ts";

const caller = { tenantId: "t", world: "test" } as const;
const call = (signal = new AbortController().signal) => ({ caller, signal });

/** Newcomers where duplicates are refused, whose searches find nobody as soon as the door is opened. */
const behindDoor = () => {
  const { promise: door, resolve: open } = Promise.withResolvers<void>();
  const searchFaces: SearchFaces = async (list) => {
    await door;
    return { list, size: 0, missing: 0, scoreMin: 3, sureScoreMin: 4, hits: [], searchedAt: 1 };
  };
  const policy = { duplicates: "refuse", fpir: { review: 0.1, refusal: 0.01 } } as const;
  return { open, ...makeNewcomers({ searchFaces, policy }) };
};

/** A weak reference holds its target until the present task ends. */
const collectGarbage = async () => {
  setFlagsFromString("--expose-gc");
  await setImmediate();
  runInNewContext("gc")();
};

describe("newcomers where duplicates are refused", () => {
  it.each(["while it waits", "while it is searched"])(
    "are not enrolled once their call has ended %s",
    async (when) => {
      const { admit, open } = behindDoor();
      const ending = new AbortController();
      const before =
        when === "while it waits" ? [admit(call(), [new Uint8Array()], async () => "before")] : [];
      let isEnrolled = false;
      const late = admit(call(ending.signal), [new Uint8Array()], async () => {
        isEnrolled = true;
      });
      const next = admit(call(), [new Uint8Array()], async () => "next");
      ending.abort(new Failure("timed_out"));
      open();
      await expect(late).rejects.toMatchObject({ code: "timed_out" });
      expect(isEnrolled).toBe(false);
      expect(await Promise.all([...before, next])).toContain("next");
    },
  );

  it("are told to come again where too many wait, until there is room", async () => {
    const { admit, open } = behindDoor();
    const one = () => admit(call(), [new Uint8Array()], async () => "enrolled");
    const all = Array.from({ length: newcomersMax }, one);
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    open();
    expect(await Promise.all(all)).toHaveLength(newcomersMax);
    expect(await one()).toBe("enrolled");
  });

  it("leave their place to others once their call has ended while they wait", async () => {
    const { admit, open } = behindDoor();
    const one = (signal?: AbortSignal) => admit(call(signal), [new Uint8Array()], async () => "enrolled");
    const ending = new AbortController();
    const staying = Array.from({ length: newcomersMax - 1 }, () => one());
    const gone = one(ending.signal);
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    ending.abort(new Failure("timed_out"));
    const late = one();
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    open();
    await expect(gone).rejects.toMatchObject({ code: "timed_out" });
    expect(await Promise.all([...staying, late])).toHaveLength(newcomersMax);
  });

  it("leave no template in memory once their call has ended while they wait", async () => {
    const { admit, open } = behindDoor();
    const ending = new AbortController();
    const atWork = admit(call(), [new Uint8Array()], async () => "enrolled");
    const waiting = () => {
      const template = new Uint8Array(1024);
      const gone = admit(call(ending.signal), [template], async () => template.length);
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

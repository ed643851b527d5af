import { expect, it } from "vitest";
import { freeMemory } from "./free-memory.ts";

it("frees an array with memory of its own, once, and leaves a part of other memory", () => {
  const own = new Uint8Array(1000);
  freeMemory(own);
  freeMemory(own);
  expect(own.buffer.detached).toBe(true);
  const whole = new Uint8Array(1000);
  freeMemory(whole.subarray(0, 999));
  freeMemory(whole.subarray(1));
  expect([whole.buffer.detached, whole.length]).toEqual([false, 1000]);
});

import { describe, expect, it, vi } from "vitest";
import { Failure } from "#contract/failure";
import { makeFindUnmet } from "./readiness.ts";

const times = { checkMsMax: 50, validMs: 1_000 };

describe("readiness", () => {
  it("checks again only when the last result is old, for any number of callers, and reports to the operator once", async () => {
    let nowMs = 0;
    let isDown = true;
    const check = vi.fn(() =>
      isDown ? Promise.reject(new Failure("store_unavailable")) : Promise.resolve(),
    );
    const reports: string[] = [];
    const news = {
      onMissing: (sentence: string) => reports.push(sentence),
      onReadyAgain: () => reports.push("ready again"),
    };
    const needs = [{ missing: "the store does not answer", check }];
    const find = makeFindUnmet(needs, news, () => new Date(nowMs), times);
    expect(await Promise.all([find(), find()])).toEqual([
      ["the store does not answer"],
      ["the store does not answer"],
    ]);
    expect(check).toHaveBeenCalledTimes(1);
    nowMs = 1_000;
    expect(await find()).toEqual(["the store does not answer"]);
    isDown = false;
    expect(await find()).toEqual(["the store does not answer"]);
    nowMs = 2_000;
    expect(await find()).toEqual([]);
    expect([check.mock.calls.length, reports]).toEqual([3, ["the store does not answer", "ready again"]]);
    isDown = true;
    nowMs = 3_000;
    await find();
    expect(reports).toHaveLength(3);
  });

  it("names the reason where the precondition tells reasons apart, and reports each", async () => {
    let nowMs = 0;
    let reason = "the disk is full";
    const reports: string[] = [];
    const news = { onMissing: (sentence: string) => reports.push(sentence), onReadyAgain: () => undefined };
    const missing = (error: unknown): string => (error instanceof Error ? error.message : "");
    const needs = [{ missing, check: () => Promise.reject(new Error(reason)) }];
    const find = makeFindUnmet(needs, news, () => new Date(nowMs), times);
    expect(await find()).toEqual(["the disk is full"]);
    reason = "the store does not answer";
    nowMs = 1_000;
    expect(await find()).toEqual(["the store does not answer"]);
    expect(reports).toEqual(["the disk is full", "the store does not answer"]);
  });

  it("treats a hanging check as failed, and does not start a second one beside it", async () => {
    let nowMs = 0;
    const hanging = Promise.withResolvers<void>();
    const check = vi.fn(() => hanging.promise);
    const needs = [
      { missing: "the bucket does not answer", check },
      { missing: "never", check: () => Promise.resolve() },
    ];
    const news = { onMissing: () => undefined, onReadyAgain: () => undefined };
    const find = makeFindUnmet(needs, news, () => new Date(nowMs), times);
    for (const round of [1, 2, 3]) {
      nowMs = round * 1_000;
      expect(await find()).toEqual(["the bucket does not answer"]);
    }
    expect(check).toHaveBeenCalledTimes(1);
    hanging.resolve();
    await hanging.promise;
    nowMs = 4_000;
    await find();
    expect(check).toHaveBeenCalledTimes(2);
  });
});

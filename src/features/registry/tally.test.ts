import { expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { aQuestion } from "#support/registry/registry-suite";
import type { Registry } from "./registry.ts";
import { makeRegistryTally } from "./tally.ts";

it("counts each end of a question, and takes no time for one that did not leave", async () => {
  let now = 0;
  const tally = makeRegistryTally(() => now);
  const ends: (() => never)[] = [
    () => {
      throw new Failure("timed_out");
    },
    () => {
      throw new Failure("upstream_failed", { reason: "it answered 500" });
    },
    () => {
      throw new Failure("upstream_failed", { reason: "it is paused", retryAfterSeconds: 15 });
    },
    () => {
      throw new Error("a defect");
    },
  ];
  const registry: Registry = {
    connector: "gateway",
    legalBasis: "Contract 12/2026",
    ask: async () => {
      now += 1000;
      return ends.shift()?.() ?? { kind: "unknown" };
    },
  };
  const counted = tally.count(registry, { environment: "live", country: "PER" });
  const ask = (signal: AbortSignal) => counted.ask(aQuestion("40104729"), signal).catch(() => undefined);
  for (let n = 0; n < 5; n++) await ask(new AbortController().signal);
  ends.push(() => {
    throw new Error("the caller has left");
  });
  await ask(AbortSignal.abort());
  const [questions, seconds, paused] = tally.gauges.map(({ read }) => read());
  expect(questions?.map(({ labels, value }) => [labels?.["outcome"], value])).toEqual([
    ["timed_out", 1],
    ["failed", 2],
    ["paused", 1],
    ["unknown", 1],
    ["left", 1],
  ]);
  expect(seconds).toEqual([{ labels: { environment: "live", country: "PER" }, value: 5 }]);
  expect(paused).toEqual([{ labels: { environment: "live", country: "PER" }, value: 0 }]);
});

import { afterAll, beforeAll, expect, it } from "vitest";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { persons, toBase64 } from "../harness/images.ts";
import { runIdem } from "../harness/run-idem.ts";
import { type Harness, makeHarness } from "../harness/service.ts";
import { attackBodies } from "./attack-bodies.ts";
import { hostileBodies } from "./hostile-bodies.ts";

let harness: Harness;
let service: ServiceProcess;
let hostileKey: string;

beforeAll(async () => {
  harness = await makeHarness();
  service = await harness.start();
  const other = await runIdem(["keys", "create", "--tenant", "Other", "--scopes", "all"], {
    IDEM_DATA: harness.directory,
  });
  hostileKey = other.stdout.trim();
});
afterAll(() => harness.clear());

it("serves good callers while every hostile body is sent, and returns the memory", async () => {
  const report = await attackBodies(service, hostileKey, {
    rounds: 1,
    pauseMs: 50,
    callers: 2,
    quietMs: 5_000,
    settleMsMax: 60_000,
    selfie: toBase64(persons.selfie),
  });
  expect(report.wrong).toEqual([]);
  expect(Object.keys(report.answers)).toHaveLength(hostileBodies.length);
  expect(report.quiet.badAnswers + report.attack.badAnswers).toBe(0);
  expect(report.attack.goodCalls).toBeGreaterThan(0);
  // Far above what an idle machine shows (50 ms: node test/attack/bodies.ts --rounds 100), since other tests
  // take the processor. A service without these limits is silent for more than eighteen seconds, or ends.
  expect(report.attack.healthz.max).toBeLessThan(8_000);
  const { before, most, after } = report.residentMiB;
  // 256 MiB of bodies in flight and their reading; without a budget 1,400 MiB.
  expect(most - before).toBeLessThan(800);
  expect(after / before).toBeLessThan(1.3);
});

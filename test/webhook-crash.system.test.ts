import { expect, it } from "vitest";
import { showWebhookKills } from "./crash/show-webhook-kills.ts";

/** The long form is `npm run test:crash -- --webhooks --rounds 50`. */
const rounds = 2;

it("delivers every event of an acknowledged call, whenever the process is killed", {
  timeout: 600_000,
}, async () => {
  const seed = Math.ceil(Math.random() * 1_000_000);
  const report = await showWebhookKills({
    rounds,
    seed,
    lifeMsMax: 5_000,
    acknowledgedMin: 1,
    callers: 4,
    restMsMax: 240_000,
    slots: 16,
    processes: 1,
    ...(process.env["LONG_TESTS"] !== "1" && { endsLeases: true }),
    say: () => undefined,
  });
  const { load, faults, duplicatesMax } = report;
  expect(load.acknowledged.length, `acknowledged, seed ${seed}`).toBeGreaterThan(0);
  expect({ lost: load.lost, otherIds: load.otherIds, faults }).toEqual({
    lost: [],
    otherIds: [],
    faults: [],
  });
  expect(load.duplicates).toBeLessThanOrEqual(duplicatesMax);
});

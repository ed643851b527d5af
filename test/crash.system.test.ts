import { expect, it } from "vitest";
import { showKills } from "./crash/show-kills.ts";

/** The long form is `npm run test:crash -- --rounds 50`. */
const rounds = 2;

it("gives every acknowledged validation the answer of an undisturbed service, whenever the process is killed", {
  timeout: 600_000,
}, async () => {
  const seed = Math.ceil(Math.random() * 1_000_000);
  const report = await showKills({
    rounds,
    seed,
    lifeMsMax: 6_000,
    acknowledgedMin: 1,
    callers: 2,
    leaseMs: 2_000,
    restMsMax: 240_000,
    processes: 1,
    say: () => undefined,
  });
  const { load, stored } = report;
  expect(load.acknowledged.length, `acknowledged, seed ${seed}`).toBeGreaterThan(0);
  expect({ wrong: load.wrong, undecided: stored.undecided, faults: stored.faults }).toEqual({
    wrong: [],
    undecided: 0,
    faults: [],
  });
  expect(load.undisturbed.genuine).toContain("9001");
});

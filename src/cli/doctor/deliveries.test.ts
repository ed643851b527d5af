import { expect, it } from "vitest";
import { judgeDeliveries, lateMsMax } from "./deliveries.ts";

const now = new Date("2026-11-25T12:00:00Z");
const before = (ms: number): Date => new Date(now.getTime() - ms);

it("says nothing of deliveries where none is due", () => {
  expect(judgeDeliveries(undefined, now)).toEqual([]);
});

it("is red from the limit on, with the time and the next step", () => {
  expect(judgeDeliveries(before(lateMsMax), now)[0]?.advice).toBeUndefined();
  expect(judgeDeliveries(before(lateMsMax + 1), now)).toMatchObject([
    {
      found: "an event is due since 2026-11-25T11:54:59.999Z",
      advice: expect.stringContaining("--role delivery"),
    },
  ]);
});

import { expect, it } from "vitest";
import { judgeObjects, lateRoundMsMax } from "./stored-objects.ts";

const now = new Date("2026-11-28T00:00:00Z");
const none = { count: 0, blobs: [] };
const roundOf = (ageMs: number) => {
  const at = new Date(now.getTime() - ageMs);
  return { startedAt: at, checked: 7, damaged: 0, completed: { at, checked: 7, damaged: 0 } };
};

it("nothing is said of a store without its migrations, and a store without a round is no fault", () => {
  expect(judgeObjects(undefined, true, now)).toStrictEqual([]);
  expect(judgeObjects({ damaged: none }, true, now)).toStrictEqual([
    { subject: "stored objects", found: expect.stringContaining("not compared with their rows yet") },
  ]);
  expect(judgeObjects({ damaged: none }, false, now)).toStrictEqual([
    { subject: "stored objects", found: expect.stringContaining("IDEM_SCRUB_BYTES_PER_SECOND is 0") },
  ]);
});

it.each([
  [lateRoundMsMax, false],
  [lateRoundMsMax + 1, true],
])("a last round that ended %i ms ago is late: %s", (ageMs, isLate) => {
  const [found] = judgeObjects({ scrub: roundOf(ageMs), damaged: none }, true, now);
  expect(found?.advice !== undefined).toBe(isLate);
  expect(judgeObjects({ scrub: roundOf(ageMs), damaged: none }, false, now)[0]?.advice).toBeUndefined();
});

it("damaged objects are named with the commands that help", () => {
  const blob = { tenantId: "tenant", id: "blob", fault: "changed" as const, foundAt: now };
  const [found] = judgeObjects({ scrub: roundOf(1), damaged: { count: 2, blobs: [blob] } }, true, now);
  expect(found?.found).toContain("2 damaged or missing: blobs/tenant/blob and others");
  expect(found?.advice).toContain("idem store repair");
});

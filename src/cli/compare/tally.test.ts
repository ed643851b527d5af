import { expect, it } from "vitest";
import { operationOf } from "./replay.ts";
import { isRefused, reportLines } from "./report.ts";
import { makeTally, type Outcome } from "./tally.ts";

const compared = (...fields: readonly string[]): Extract<Outcome, { kind: "compared" }> => ({
  kind: "compared",
  comparison: {
    differences: fields.map((field) => ({ field, theirs: "3", ours: "1", gap: 0.25 })),
    added: ["outcome"],
    isRefusal: false,
  },
});

it("counts operations, fields, pairs and failures, with the first lines", () => {
  const tally = makeTally();
  for (let line = 1; line <= 7; line++) tally.add("identity", line, compared("result"));
  tally.add("identity", 8, compared());
  tally.add("identity", 9, compared("list[]", "list[]"));
  tally.add("status", 10, { kind: "failed", service: "theirs", reason: "it cannot be reached" });
  expect(reportLines(tally.report())).toEqual([
    "10 requests: 1 equal, 8 different, 1 failed",
    "Values of a field: theirs | ours",
    "",
    "identity: 1 equal, 8 different, 0 failed",
    "  result: 7 of 9, up to 0.25 apart; line 1, 2, 3, 4, 5 …",
    "    3 | 1: 7",
    "  list[]: 1 of 9, up to 0.25 apart; line 9",
    "    3 | 1: 2",
    "  ours alone, no difference: outcome",
    "",
    "status: 0 equal, 0 different, 1 failed",
    "  theirs failed 1 times, it cannot be reached; line 10",
  ]);
});

it("says how many answers were stored ones, and what to do", () => {
  const tally = makeTally();
  tally.add("identity", 1, { ...compared(), isStored: true });
  tally.add("identity", 2, { ...compared(), isStored: false });
  const [counts, advice] = reportLines(tally.report());
  expect(counts).toBe("2 requests: 2 equal, 0 different, 0 failed; 1 stored answers of earlier calls");
  expect(advice).toContain("IDEM_MERCHANT_REFERENCE_MINUTES=0");
});

it("says how many requests both services refused", () => {
  const tally = makeTally();
  const comparison = { differences: [], added: [], isRefusal: true };
  tally.add("identity", 1, { kind: "compared", comparison });
  expect(reportLines(tally.report())[0]).toBe(
    "1 requests: 1 equal, 0 different, 0 failed; 1 refused by both",
  );
});

it.each([
  [{ equal: 3, refused: 3, different: 0, failed: 0 }, true],
  [{ equal: 2, refused: 3, different: 1, failed: 0 }, true],
  [{ equal: 3, refused: 2, different: 0, failed: 0 }, false],
  [{ equal: 2, refused: 2, different: 0, failed: 1 }, false],
  [{ equal: 0, refused: 0, different: 0, failed: 0 }, false],
])("finds that every request was refused by both: %j is %s", (counts, expected) => {
  expect(isRefused(counts)).toBe(expected);
});

it("keeps a bounded number of fields and pairs", () => {
  const tally = makeTally();
  for (let i = 0; i < 2000; i++) {
    const differences = [
      { field: `f${i}`, theirs: `text of ${i}`, ours: "null" },
      { field: "one", theirs: `text of ${i}`, ours: "null" },
    ];
    tally.add("data", i, {
      kind: "compared",
      comparison: { differences, added: [`a${i}`], isRefusal: false },
    });
  }
  const [operation] = tally.report().operations;
  expect(operation?.fields.length).toBeLessThanOrEqual(501);
  expect(operation?.fields.find(({ field }) => field === "one")).toMatchObject({
    count: 2000,
    pairs: { length: 9 },
  });
  expect(operation?.added).toHaveLength(100);
});

it.each([
  [
    { method: "POST", path: "/services/clearing/1234/verify?x=1" },
    "POST /services/clearing/{serviceTransactionId}/verify",
  ],
  [{ method: "DELETE", path: "/services/authenticateUser" }, "DELETE /services/authenticateUser"],
  [{ method: "POST", path: "/users/PEREZ" }, "POST (a path that the contract does not have)"],
  [{ method: "POST", path: "/users/PEREZ", name: "old users" }, "old users"],
] as const)("names the operation of %j", (request, name) => {
  expect(operationOf({ line: 1, headers: {}, capture: {}, until: {}, ...request })).toBe(name);
});

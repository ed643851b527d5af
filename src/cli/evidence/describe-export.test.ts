import { expect, it } from "vitest";
import { describeExport } from "./describe-export.ts";

const head = { type: "head", format: 1, tenantId: "t", lastSeq: 6, headHash: "ab", at: 0 } as const;

it.each([
  [{}, "6 entries, the last is 6, head ab, written to chain.jsonl"],
  [{ since: 4 }, "2 entries, the last is 6, head ab, written to chain.jsonl"],
  [{ since: 5 }, "1 entry, the last is 6, head ab, written to chain.jsonl"],
])("an export after %j is described in words", (since, words) => {
  expect(describeExport({ ...head, ...since }, "chain.jsonl", false)).toBe(words);
});

it("an export is described in JSON for scripts", () => {
  expect(JSON.parse(describeExport({ ...head, since: 4 }, "chain.jsonl", true))).toEqual({
    entries: 2,
    lastSeq: 6,
    headHash: "ab",
    file: "chain.jsonl",
  });
});

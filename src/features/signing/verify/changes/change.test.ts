import { describe, expect, it } from "vitest";
import { changeKinds, judgeChange } from "./change.ts";

const allowedBy = (certification: 1 | 2 | 3 | undefined) =>
  changeKinds.filter((kind) => judgeChange({ kind, what: "it" }, { certification, rules: [] }) === "allowed");

describe("a change after a signature", () => {
  it("is allowed by the number of a certification", () => {
    expect(allowedBy(1)).toStrictEqual(["validation_data", "timestamp", "metadata"]);
    expect(allowedBy(2)).toStrictEqual([
      "validation_data",
      "timestamp",
      "metadata",
      "signature",
      "form_filling",
    ]);
    expect(allowedBy(3)).not.toContain("content");
    expect(allowedBy(3)).toContain("annotation");
  });

  it("of annotations is doubtful without a certification, and of content forbidden", () => {
    const free = { certification: undefined, rules: [] };
    expect(judgeChange({ kind: "annotation", what: "it" }, free)).toBe("doubtful");
    expect(judgeChange({ kind: "content", what: "it" }, free)).toBe("forbidden");
  });

  it.each([
    ["All", [], "a", "forbidden"],
    ["Include", ["a"], "a", "forbidden"],
    ["Include", ["a"], "a.b", "forbidden"],
    ["Include", ["a"], "ab", "allowed"],
    ["Exclude", ["a"], "a", "allowed"],
    ["Exclude", ["a"], "b", "forbidden"],
  ] as const)("of a field under a lock %s %j: %s is %s", (action, fields, field, judgement) => {
    const permission = { certification: undefined, rules: [{ action, fields }] };
    expect(judgeChange({ kind: "form_filling", what: "V", field }, permission)).toBe(judgement);
  });
});

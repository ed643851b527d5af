import { describe, expect, it } from "vitest";
import { Failure, type FailureCode } from "#contract/failure";
import { classifyFailure } from "./classify-failure.ts";

describe("a failure in a job", () => {
  it.each([
    ["engine_busy", "busy"],
    ["store_unavailable", "transient"],
    ["search_unavailable", "transient"],
    ["stored_newer", "transient"],
    ["shutting_down", "transient"],
    ["engine_failed", "unknown"],
    ["upstream_failed", "unknown"],
    ["timed_out", "unknown"],
    ["image_unreadable", "permanent"],
    ["not_found", "permanent"],
    ["stored_damaged", "permanent"],
    ["template_outdated", "permanent"],
    ["clearing_not_live", "permanent"],
  ] satisfies (readonly [FailureCode, string])[])("%s is %s", (code, kind) => {
    expect(classifyFailure(new Failure(code))).toBe(kind);
  });

  it("that is no failure of the catalogue may come back", () => {
    expect(classifyFailure(new Error("A bug"))).toBe("unknown");
  });
});

import { describe, expect, it } from "vitest";
import { Failure, type FailureCode, failureKinds } from "#contract/failure";
import { type FailedEnd, judgeFailedEnd } from "./judge-end.ts";

const codes = Object.keys(failureKinds).filter((code): code is FailureCode => code in failureKinds);

const codesWith = (end: FailedEnd): readonly FailureCode[] =>
  codes.filter((code) => judgeFailedEnd(new Failure(code)) === end);

describe("the end of a failed attempt", () => {
  it("is unknown where the failure may come after a commit", () => {
    expect(codesWith("unknown").toSorted()).toEqual([
      "internal_error",
      "shutting_down",
      "store_unavailable",
      "timed_out",
    ]);
    expect(judgeFailedEnd(new Error("The caller left"))).toBe("unknown");
    expect(judgeFailedEnd("text")).toBe("unknown");
  });

  it("is a release for failures that a retry may cure, and for faults of the request's form", () => {
    const released = codesWith("release");
    expect(released).toEqual(
      expect.arrayContaining(["request_invalid", "engine_busy", "user_paused", "review_held"]),
    );
    for (const code of released) {
      const { status, retry } = failureKinds[code];
      expect(retry === "later" || status >= 500 || code === "request_invalid", code).toBe(true);
    }
  });

  it("is an answer for every other refusal", () => {
    const kept = codesWith("keep");
    expect(kept).toEqual(expect.arrayContaining(["token_replayed", "image_unreadable", "not_found"]));
    for (const code of kept) {
      const { status, retry } = failureKinds[code];
      expect([status < 500, retry], code).toEqual([true, "never"]);
    }
  });
});

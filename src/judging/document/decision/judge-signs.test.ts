import { describe, expect, it } from "vitest";
import type { Finding } from "./finding.ts";
import { finding } from "./findings/finding-defaults.ts";
import { judgeDocument } from "./judge.ts";
import { defaultDocumentPolicy } from "./policy.ts";

/** A sign of fraud that alone goes to review; `source` names what it rests on. */
const sign = (source: string): Finding =>
  finding({
    name: "print-contradicts-zone",
    stage: "contradiction",
    code: 507,
    consequence: "review",
    source,
    holds: true,
    evidence: {},
  });

const fault = (change: Partial<Finding> = {}): Finding => ({
  ...finding({
    name: "country-differs",
    stage: "request",
    code: 602,
    consequence: "resubmit",
    source: "request",
    holds: true,
    evidence: {},
  }),
  ...change,
});

const judge = (findings: readonly Finding[], attempt = 1) =>
  judgeDocument(findings, defaultDocumentPolicy, attempt).status;

describe("a finding that is never ignored", () => {
  const decide = (change: Partial<Finding>, asked: "ignore" | "review" | "resubmit" | "decline") =>
    judgeDocument([{ ...sign("print"), ...change }], {
      ...defaultDocumentPolicy,
      consequences: { "print-contradicts-zone": asked },
    }).status;

  it.each([
    ["ignore", "Review", "Approved"],
    ["review", "Review", "Review"],
    ["resubmit", "Resubmission", "Resubmission"],
    ["decline", "Declined", "Declined"],
  ] as const)("with the consequence %s of a policy is %s, and any other is %s", (asked, never, other) => {
    expect([decide({ neverIgnored: true }, asked), decide({}, asked)]).toEqual([never, other]);
  });

  it("changes nothing where it does not hold", () => {
    expect(decide({ neverIgnored: true, holds: false }, "review")).toBe("Approved");
  });
});

describe("signs of fraud", () => {
  it.each([
    [["print"], "Review"],
    [["print", "print"], "Review"],
    [["print", "mrz"], "Declined"],
    // They share one of their sources.
    [["print mrz", "mrz barcode"], "Review"],
    // A third sign that shares both sources takes nothing from the two that share none.
    [["print", "mrz", "print mrz"], "Declined"],
  ] as const)("that rest on %j: %s", (sources, status) => {
    expect(judge(sources.map(sign))).toBe(status);
  });

  it("that are hints never count among two", () => {
    expect(judge([sign("print"), { ...sign("mrz"), isHint: true }])).toBe("Review");
  });
});

describe("a fault of the request", () => {
  it("is answered before any sign of fraud", () => {
    expect(judge([fault(), sign("print"), sign("mrz")])).toBe("Resubmission");
  });

  it.each([
    [[true, true], "Review"],
    [[true, false], "Declined"],
    [[false, false], "Declined"],
  ] as const)("at the last attempt, where two are hints %j: %s", (hints, status) => {
    const faults = hints.map((isHint) => fault(isHint ? { isHint } : {}));
    expect(judge(faults, defaultDocumentPolicy.resubmission.attemptsMax)).toBe(status);
    expect(judge(faults, defaultDocumentPolicy.resubmission.attemptsMax - 1)).toBe("Resubmission");
  });
});

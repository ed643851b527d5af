import { describe, expect, it } from "vitest";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { MrzSummary } from "../../reading/reading.ts";
import type { DocumentHistory } from "../history/history.ts";
import { judgeDocument } from "../judge.ts";
import { findAll } from "./all-rules.ts";

const decide = (history: DocumentHistory, mrz: Partial<MrzSummary> = {}) => {
  const document = { ...caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines, mrz) }))), history };
  const { status, reasonCode } = judgeDocument(findAll(document), document.policy);
  return [status, reasonCode];
};
const exposed = (matches: number | "unknown", lines?: readonly number[]) => ({
  exposed: {
    matches: matches === "unknown" ? matches : { count: matches, ...(lines && { lines }) },
    list: "Register 2026-11",
  },
});

describe("a document whose", () => {
  it.each([
    ["holder could be an exposed person", exposed(1), "Review", 126],
    ["holder is on no list", exposed(0), "Approved", null],
    ["holder could not be looked up", exposed("unknown"), "Review", 126],
    ["registry agrees", { registry: "agrees" }, "Approved", null],
    ["registry has other data", { registry: "differs" }, "Declined", 123],
    ["registry does not answer", { registry: "silent" }, "Review", 544],
    ["registry was not queried", {}, "Approved", null],
  ] as const)("%s is %3$s", (_, history, ...decision) => {
    expect(decide(history)).toStrictEqual(decision);
  });

  it("registry has other data than an MRZ that is clear and not accepted goes to review", () => {
    expect(decide({ registry: "differs" }, { accepted: false, clear: true })).toStrictEqual(["Review", 123]);
  });

  it("registry was not queried is recorded as unknown, not as passed", () => {
    const document = caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines) })));
    expect(findAll(document).find(({ name }) => name === "registry-differs")).toMatchObject({
      holds: "unknown",
      evidence: { isAsked: false },
    });
  });

  it.each([
    ["their lines in the imported file", exposed(2, [3, 480]), { matches: 2, lines: "3, 480" }],
    [
      "of many the first twenty",
      exposed(21, [...Array(21).keys()]),
      { lines: [...Array(20).keys()].join(", ") },
    ],
    ["their number alone where the list has no lines", exposed(2), { matches: 2 }],
  ])("holder could be an exposed person is reported with the matches: %s", (_, history, evidence) => {
    const document = { ...caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines) }))), history };
    const found = findAll(document).find(({ name }) => name === "exposed-person");
    expect(found?.evidence).toMatchObject({ list: "Register 2026-11", ...evidence });
  });

  it("holder could be an exposed person is never declined for it, under any policy", () => {
    const consequences = { "exposed-person": "decline" } as const;
    const reading = readingOf(sideOf({ mrz: mrzOf(passportLines) }));
    const document = { ...caseOf(reading, undefined, { consequences }), history: exposed(1) };
    expect(judgeDocument(findAll(document), document.policy)).toMatchObject({ code: 9121, reasonCode: 126 });
  });
});

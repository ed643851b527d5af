import { describe, expect, it } from "vitest";
import type { DocumentHistory } from "../history.ts";
import { judgeDocument } from "../judge.ts";
import type { MrzSighting } from "../reading.ts";
import { caseOf, passportLines, readingOf, sideOf, zoneOf } from "../testing/reading.ts";
import { findAll } from "./all-questions.ts";

const decide = (history: DocumentHistory, zone: Partial<MrzSighting> = {}) => {
  const document = { ...caseOf(readingOf(sideOf({ mrz: zoneOf(passportLines, zone) }))), history };
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
    ["registry knows other data", { registry: "differs" }, "Declined", 123],
    ["registry does not answer", { registry: "silent" }, "Review", 544],
    ["registry nobody asked", {}, "Approved", null],
  ] as const)("%s is %3$s", (_, history, ...decision) => {
    expect(decide(history)).toStrictEqual(decision);
  });

  it("registry knows other data than a zone that is clear and not accepted goes to a person", () => {
    expect(decide({ registry: "differs" }, { accepted: false, clear: true })).toStrictEqual(["Review", 123]);
  });

  it("registry nobody asked is kept as unknown, not as passed", () => {
    const document = caseOf(readingOf(sideOf({ mrz: zoneOf(passportLines) })));
    expect(findAll(document).find(({ name }) => name === "registry-differs")).toMatchObject({
      holds: "unknown",
      evidence: { isAsked: false },
    });
  });

  it.each([
    ["where they stand in the imported file", exposed(2, [3, 480]), { matches: 2, lines: "3, 480" }],
    [
      "of many the first twenty",
      exposed(21, [...Array(21).keys()]),
      { lines: [...Array(20).keys()].join(", ") },
    ],
    ["the number alone where the list tells no lines", exposed(2), { matches: 2 }],
  ])("holder could be an exposed person is shown with who that may be: %s", (_, history, evidence) => {
    const document = { ...caseOf(readingOf(sideOf({ mrz: zoneOf(passportLines) }))), history };
    const found = findAll(document).find(({ name }) => name === "exposed-person");
    expect(found?.evidence).toMatchObject({ list: "Register 2026-11", ...evidence });
  });

  it("holder could be an exposed person is never turned away for it, whatever a policy says", () => {
    const consequences = { "exposed-person": "decline" } as const;
    const reading = readingOf(sideOf({ mrz: zoneOf(passportLines) }));
    const document = { ...caseOf(reading, undefined, { consequences }), history: exposed(1) };
    expect(judgeDocument(findAll(document), document.policy)).toMatchObject({ code: 9121, reasonCode: 126 });
  });
});

import { describe, expect, it } from "vitest";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { AttackMeasurement } from "../../reading/traces/measurement.ts";
import { cueReasons } from "../attacks/cue.ts";
import { decideDocument, measurementsOf } from "../decide.ts";
import { judgeDocument } from "../judge.ts";
import { defaultDocumentPolicy } from "../policy.ts";
import { findAll } from "./all-rules.ts";

const spread = (second: number) => ({ second, first: 6, usedShare: 0.95 });
const genuine: AttackMeasurement = {
  colour: spread(2.6),
  portraitColour: spread(2.4),
  pattern: { peaks: 4, tiles: 6 },
  rim: { sides: 0, brightness: 0, width: 0 },
  portrait: { noise: 0.1, grid: 0.02 },
  ink: { lines: 12, darkest: 1.2 },
};

const brokenLines = [passportLines[0], passportLines[1].replace("9001011F", "9001017F")];

const documentOf = (change: AttackMeasurement, lines: readonly string[] = passportLines) =>
  caseOf(readingOf(sideOf({ mrz: mrzOf(lines), attack: { ...genuine, ...change } })));

const decide = (change: AttackMeasurement, lines?: readonly string[]) => {
  const document = documentOf(change, lines);
  return judgeDocument(findAll(document), document.policy);
};

describe("a validation", () => {
  it("approves a document without any trace", () => {
    expect(decide({}).status).toBe("Approved");
  });

  it.each([
    ["a weak pattern (636)", { pattern: { peaks: 36, tiles: 6 } }, 636],
    ["a card with hardly any colour (637)", { colour: spread(1) }, 637],
    ["a card whose portrait is grey (637)", { portraitColour: spread(0.5) }, 637],
  ] as const)("asks for a new image of %s", (_, change, code) => {
    expect(decide(change)).toMatchObject({ status: "Resubmission", reasonCode: code });
  });

  it.each([
    ["a grey copy (505)", { colour: spread(0.5) }, [505]],
    ["a strong pattern (504)", { pattern: { peaks: 90, tiles: 6 } }, [504]],
    ["a portrait of other noise (506)", { portrait: { noise: -2.7, grid: 0 } }, [506]],
    ["a portrait of other compression (506)", { portrait: { noise: 0, grid: 0.8 } }, [506]],
    [
      "a face that was not compressed with its card (506)",
      {
        history: { portrait: { match: 0.7, information: 900 }, face: { match: 0.1, information: 300 } },
      },
      [506],
    ],
    ["an enlarged portrait (506)", { detail: { portrait: -2, least: -1 } }, [506]],
    ["a line written later (102)", { ink: { lines: 12, darkest: 11 } }, [102]],
    [
      "a copy on a screen (503, 501)",
      { colour: spread(0.5), pattern: { peaks: 90, tiles: 6 } },
      [505, 504, 503, 501],
    ],
    [
      "little colour in a white band (101)",
      { colour: spread(1.17), rim: { sides: 4, brightness: 240, width: 0.1 } },
      [101],
    ],
    ["a line nearly as dark as one written later (101)", { ink: { lines: 12, darkest: 9.9 } }, [101]],
    ["a colour just above a copy's (101)", { colour: spread(1.16) }, [101]],
    [
      "two traces nearly found, together a spoof (101)",
      { ink: { lines: 12, darkest: 9.9 }, pattern: { peaks: 33.4, tiles: 6 } },
      [101],
    ],
    [
      "traces of which none is found alone, together a spoof (101)",
      {
        colour: spread(1.16),
        pattern: { peaks: 33.4, tiles: 6 },
        portrait: { noise: 0, grid: 0.5 },
      },
      [101],
    ],
  ] as const)("sends %s to a person", (_, change, codes) => {
    const { status, reasonCode, others } = decide(change);
    expect([status, reasonCode, ...others]).toEqual(["Review", ...codes]);
  });

  it("declines no document for traces alone, however many there are", () => {
    const all: AttackMeasurement = {
      colour: spread(0.3),
      portraitColour: spread(0.3),
      pattern: { peaks: 200, tiles: 6 },
      rim: { sides: 4, brightness: 240, width: 0.1 },
      portrait: { noise: 3, grid: 2 },
      history: { portrait: { match: 0, information: 9000 }, face: { match: 0, information: 9000 } },
      detail: { portrait: -5, face: -5, least: 0 },
      ink: { lines: 12, darkest: 20 },
    };
    expect(decide(all).status).toBe("Review");
  });

  it("declines a grey copy that contradicts itself, and not a fine pattern beside a contradiction", () => {
    expect(decide({ colour: spread(0.5) }, brokenLines).status).toBe("Declined");
    expect(decide({ pattern: { peaks: 90, tiles: 6 } }, brokenLines).status).toBe("Review");
  });

  it("names the pale type by whose limit it judges the colour", () => {
    const document = documentOf({ colour: spread(0.5) });
    const colours = [{ country: "CHL", colour: "pale" } as const];
    const pale = {
      ...document,
      policy: { ...document.policy, attacks: { ...document.policy.attacks, colours } },
    };
    const copyOf = (one: typeof document) => findAll(one).find(({ name }) => name === "grey-copy");
    expect(copyOf(pale)).toMatchObject({
      holds: true,
      consequence: "resubmit",
      evidence: { colour: "pale", second: 0.5 },
    });
    expect(copyOf(document)?.evidence).not.toHaveProperty("colour");
    expect(copyOf(document)).toMatchObject({ holds: true, consequence: "review" });
  });

  it("has no finding of traces that were not measured", () => {
    const document = caseOf(readingOf(sideOf({ mrz: mrzOf(passportLines) })));
    expect(findAll(document).filter(({ stage }) => stage === "recapture")).toEqual([]);
  });
});

it("keeps the weight and the reason of every trace that was found, for the operator", () => {
  const { reading, fields, declared, now, policy } = documentOf({ colour: spread(0.5) });
  const { findings, attack } = decideDocument({ reading, fields }, declared, now, policy);
  expect(measurementsOf(reading, findings, [], attack)).toMatchObject({
    attack: {
      verdict: "spoof",
      signals: expect.arrayContaining([
        expect.objectContaining({ name: "grey-copy", level: "strong", reason: cueReasons["grey-copy"] }),
        expect.not.objectContaining({ reason: expect.anything() }),
      ]),
    },
  });
});

describe("the evidence of the portrait that a policy asks for", () => {
  const judged = (portraitEvidenceMin: PortraitEvidence, attack?: AttackMeasurement) => {
    const reading = readingOf(sideOf({ mrz: mrzOf(passportLines), ...(attack && { attack }) }));
    const document = caseOf(reading, { country: "CHL", type: "PASSPORT" }, { portraitEvidenceMin });
    const findings = findAll(document);
    const decided = judgeDocument(findings, document.policy);
    return [
      findings.find(({ name }) => name === "portrait-unproven")?.holds,
      decided.code,
      decided.reasonCode,
    ];
  };
  const withDetail = { ...genuine, detail: { portrait: 0, face: 0, least: 0 } };
  const withGhost = { ...withDetail, ghost: { widthShare: 0.4, likeness: 0.97 } };

  it("is none by default, also of a document without traces", () => {
    expect(defaultDocumentPolicy.portraitEvidenceMin).toBe("unproven");
    expect(judged("unproven")).toEqual([undefined, 9001, null]);
  });

  it("sends a weaker one to review (540), and approves one that is as strong", () => {
    expect(judged("print-consistent")).toEqual([true, 9121, 540]);
    expect(judged("print-consistent", genuine)).toEqual([true, 9121, 540]);
    expect(judged("print-consistent", withDetail)).toEqual([false, 9001, null]);
    expect(judged("ghost", withDetail)).toEqual([true, 9121, 540]);
    expect(judged("ghost", withGhost)).toEqual([false, 9001, null]);
    expect(judged("registry", withGhost)).toEqual([true, 9121, 540]);
  });

  it("is stated with every decision, and beside its measurements", () => {
    const reading = readingOf(sideOf({ mrz: mrzOf(passportLines), attack: withGhost }));
    const { fields, declared, now, policy } = caseOf(reading);
    const decided = decideDocument({ reading, fields }, declared, now, policy);
    expect(decided.portraitEvidence).toBe("ghost");
    expect(measurementsOf(reading, decided.findings, [], decided.attack)).toMatchObject({
      portraitEvidence: "ghost",
    });
  });
});

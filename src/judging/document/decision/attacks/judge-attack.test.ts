import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeSources, mrzOf, now, readingOf, sideOf } from "#support/document/reading";
import type { AttackMeasurement } from "../../reading/traces/measurement.ts";
import type { Finding } from "../finding.ts";
import { finding } from "../findings/finding-defaults.ts";
import { readDocumentModels } from "../models/read-models.ts";
import { colourOf, type DocumentKind, defaultAttackPolicy } from "./attack-policy.ts";
import { judgeAttack } from "./judge-attack.ts";

const colourful = { second: 2.6, first: 5, usedShare: 0.9 };
const judge = (
  attack: AttackMeasurement,
  contradictions: readonly Pick<Finding, "consequence" | "source" | "isHint">[] = [],
  kind: DocumentKind = { country: "CHL" },
) =>
  judgeAttack(
    readingOf(sideOf({ attack })),
    contradictions.map((one) =>
      finding({ name: "check-digits-wrong", stage: "contradiction", code: 507, holds: true, ...one }),
    ),
    defaultAttackPolicy,
    kind,
  );
/** A German card of an invented holder, with D in its MRZ. */
const germanCard = [
  "IDD<<L01X00T471<<<<<<<<<<<<<<<",
  "6408125F3309106D<<<<<<<<<<<<<0",
  "PRUEBA<<ANA<<<<<<<<<<<<<<<<<<<",
] as const;
const spread = (second: number) => ({ colour: { ...colourful, second } });

describe("a document", () => {
  it.each([
    ["without any trace", { colour: colourful }, "credible"],
    ["without any measurement", {}, "credible"],
    ["without colour", spread(0.5), "spoof"],
    ["with hardly any colour", spread(1), "doubtful"],
    ["with little colour", spread(1.3), "credible"],
    [
      "whose portrait alone is grey",
      { colour: colourful, portraitColour: { ...colourful, second: 0.5 } },
      "doubtful",
    ],
    ["with a fine pattern", { colour: colourful, pattern: { peaks: 90, tiles: 6 } }, "doubtful"],
    [
      "with a band around it",
      { colour: colourful, rim: { sides: 4, brightness: 240, width: 0.1 } },
      "credible",
    ],
    ["with a portrait of other noise", { colour: colourful, portrait: { noise: -2.7, grid: 0 } }, "doubtful"],
    [
      "with one line far darker than the other dark lines",
      { colour: colourful, ink: { lines: 12, darkest: 9.4 } },
      "doubtful",
    ],
    ["with one line somewhat darker", { colour: colourful, ink: { lines: 12, darkest: 9.3 } }, "credible"],
  ] as const)("%s is %3$s", (_, attack, verdict) => {
    expect(judge(attack).verdict).toBe(verdict);
  });

  const [mrz, print] = [
    { consequence: "review", source: "mrz" },
    { consequence: "review", source: "print" },
  ] as const;
  const hint = { ...print, isHint: true } as const;

  it.each([
    ["in one source", [mrz], "doubtful"],
    ["exactly", [{ ...mrz, consequence: "decline" }], "spoof"],
    ["in two sources", [mrz, print], "spoof"],
    ["twice in one source, as one misread field does", [print, print], "doubtful"],
    ["by a hint alone", [hint], "doubtful"],
    ["by hints of several sources", [hint, { ...mrz, isHint: true }], "doubtful"],
    ["in one source and by a hint of another", [mrz, hint], "doubtful"],
  ] as const)("that contradicts itself %s is %3$s", (_, contradictions, verdict) => {
    expect(judge({ colour: colourful }, contradictions).verdict).toBe(verdict);
  });

  it("of a type with little colour is no copy for that reason", () => {
    expect(judge(spread(0.9), [], { country: "TWN" }).verdict).toBe("credible");
    expect(judge(spread(0.3), [], { country: "TWN" }).verdict).toBe("doubtful");
  });

  it("without colour is a spoof only where the colour of its model is sure", () => {
    const model = (sure: "O" | "?") => ({ model: { colour: { is: "colour", sure } } }) as const;
    expect(judge(spread(0.3), [], model("O"))).toMatchObject({
      verdict: "spoof",
      cues: [{ level: "strong" }],
    });
    expect(judge(spread(0.3), [], model("?"))).toMatchObject({
      verdict: "doubtful",
      cues: [{ level: "weak" }],
    });
  });

  it("of a model without colour is never a copy", () => {
    const model = { colour: { is: "monochrome", sure: "O" } } as const;
    expect(judge(spread(0.1), [], { model })).toMatchObject({ verdict: "credible", cues: [] });
  });

  it("is never a spoof for one cue that is only a hint", () => {
    const any = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 4 }), (value, sides) => {
        const traces: readonly AttackMeasurement[] = [
          { pattern: { peaks: value, tiles: 6 } },
          { rim: { sides, brightness: 200, width: 0.1 } },
          { portrait: { noise: value, grid: 0 } },
          { portrait: { noise: 0, grid: value } },
          { history: { portrait: { match: 0, information: value }, face: { match: 0, information: value } } },
          { detail: { portrait: -value, face: -value, least: 0 } },
          { ink: { lines: 10, darkest: value } },
          { portraitColour: { ...colourful, second: value } },
        ];
        return traces.every((trace) => judge({ ...trace, colour: colourful }).verdict !== "spoof");
      }),
    );
  });

  it("is never a spoof for the portrait alone: its traces are one evidence", () => {
    const all: AttackMeasurement = {
      portrait: { noise: 9, grid: 9 },
      history: { portrait: { match: 0, information: 9000 }, face: { match: 0, information: 9000 } },
      detail: { portrait: -9, face: -9, least: 0 },
    };
    expect(judge({ ...all, colour: colourful }).verdict).toBe("doubtful");
  });

  const history = (match: number) => ({ match, information: 9000 });
  it.each<[string, number, number, (value: number) => AttackMeasurement]>([
    ["noise", 2.599, 2.6, (noise) => ({ portrait: { noise, grid: 0 } })],
    ["grid", 0.599, 0.6, (grid) => ({ portrait: { noise: 0, grid } })],
    ["history", 0.3, 0.299, (match) => ({ history: { portrait: history(match), face: history(1) } })],
    ["detail", 0.439, 0.44, (lack) => ({ detail: { portrait: -lack, face: 0, least: 0 } })],
    ["face beside it", 0.599, 0.6, (lack) => ({ detail: { face: 0, around: lack, least: 0 } })],
    ["ghost", 0.9, 0.899, (likeness) => ({ ghost: { likeness, widthShare: 0.1 } })],
  ])(
    "is doubted for a strong trace of the portrait's %s alone, and not for a weak one",
    (_, weak, strong, trace) => {
      const judged = [weak, strong].map((value) => judge({ ...trace(value), colour: colourful }));
      const levels = judged.map(({ cues }) =>
        cues.map(({ level }) => level).filter((level) => level !== "none"),
      );
      expect(levels).toEqual([["weak"], ["strong"]]);
      expect(judged.map(({ verdict }) => verdict)).toEqual(["credible", "doubtful"]);
    },
  );

  it("takes the pattern of a screen for no noise of the portrait", () => {
    const portrait = { noise: -0.66, faceNoise: -0.59, noiseSpread: 0.15, grid: 0 };
    const namesAt = (peaks: number) =>
      judge({ colour: colourful, portrait, pattern: { peaks, tiles: 6 } }).cues.map(({ name }) => name);
    expect(namesAt(33.4)).toContain("portrait-even-noise");
    expect(namesAt(33.5)).not.toContain("portrait-even-noise");
  });

  it("keeps every measured cue, found or not", () => {
    const { cues } = judge({ colour: colourful, pattern: { peaks: 0, tiles: 4 } });
    expect(cues.map(({ name, level }) => [name, level])).toEqual([
      ["grey-copy", "none"],
      ["fine-pattern", "none"],
    ]);
  });
});

describe("the colour of a type", () => {
  it("is looked up by the issuer of the MRZ", () => {
    const { values } = mergeSources(readingOf(sideOf({ mrz: mrzOf(germanCard) })), now);
    const country = values.issuer?.value ?? "";
    expect(country).toBe("DEU");
    expect(colourOf(defaultAttackPolicy, { country }, "back").is).toBe("pale");
    expect(colourOf(defaultAttackPolicy, { country }, "front").is).toBe("colour");
  });

  it("has one source: no measured type has a model", () => {
    const modelled = readDocumentModels().national.filter(({ colour }) => colour !== undefined);
    const twice = defaultAttackPolicy.colours.filter(({ country, type }) =>
      modelled.some((model) => model.country === country && (type ?? model.type) === model.type),
    );
    expect(twice).toEqual([]);
  });
});

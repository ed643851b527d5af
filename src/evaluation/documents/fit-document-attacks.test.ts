import { describe, expect, it } from "vitest";
import { isSafe } from "#contract/presentation-attack/bounds";
import { defaultAttackPolicy } from "#judging/document/decision/attacks/attack-policy";
import {
  cueWeights,
  type DocumentCue,
  decisiveCues,
  documentCueNames,
} from "#judging/document/decision/attacks/cue";
import { documentBounds, fuseCues } from "#judging/document/decision/attacks/fusion";
import { crossFitDocumentAttacks, type DocumentSample, fitDocumentAttacks } from "./fit-document-attacks.ts";

const cue = (name: DocumentCue["name"], weight: number): DocumentCue => ({
  name,
  on: "document",
  level: weight > 0 ? "strong" : "none",
  weight,
  evidence: {},
});
const bounds = documentBounds(defaultAttackPolicy);

/** Nearly every attack has the pattern, and no genuine document has it. */
const samples: readonly DocumentSample[] = Array.from({ length: 80 }, (_, i) => ({
  cues: [cue("fine-pattern", i % 2 === 1 && i % 20 !== 1 ? cueWeights.hintMax : 0)],
  isAttack: i % 2 === 1,
  kind: i % 2 === 1 ? "screen" : "",
  group: `card ${i >> 2}`,
}));

describe("the fit of the document cues", () => {
  it("never lets one hint make a spoof, for every hint and all samples", () => {
    for (const fusion of [
      fitDocumentAttacks(samples, defaultAttackPolicy),
      ...crossFitDocumentAttacks(samples, defaultAttackPolicy, 4),
    ]) {
      expect(isSafe(fusion, bounds)).toBe(true);
      const policy = { ...defaultAttackPolicy, fusion: { name: "own", ...fusion } };
      for (const name of documentCueNames.filter(
        (one) => !decisiveCues.includes(one) && one !== "grey-portrait",
      )) {
        const weight = name === "other-face" ? cueWeights.otherFace : cueWeights.hintMax;
        expect(fuseCues([cue(name, weight)], policy).verdict).not.toBe("spoof");
      }
    }
    expect(fitDocumentAttacks(samples, defaultAttackPolicy).scales["fine-pattern"]).toBeGreaterThan(1);
  });

  it.each([
    ["another face alone would make a spoof", { offset: -1.6, scales: {} }],
    ["a hint would", { offset: -2, scales: { "fine-pattern": 2.5 } }],
    ["a cue supports the document", { offset: -2, scales: { "edited-line": -1 } }],
    ["the offset does not stand for one attack in ten", { offset: 0, scales: { "other-face": 0 } }],
  ])("is not safe where %s", (_, fusion) => {
    expect(isSafe(fusion, bounds)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import type { DocumentCue, DocumentCueName } from "./attacks/cue.ts";
import { finding } from "./findings/finding-defaults.ts";
import { portraitEvidenceOf } from "./portrait-evidence.ts";

const cue = (
  name: DocumentCueName,
  level: DocumentCue["level"] = "none",
  on: DocumentCue["on"] = "front",
): DocumentCue => ({
  name,
  on,
  level,
  weight: 0,
  evidence: {},
});
const userIs = (holds: boolean | "unknown") =>
  finding({ name: "portrait-of-no-registered-user", stage: "face", code: 120, consequence: "review", holds });
const fitting = [cue("portrait-noise"), cue("portrait-detail")];

describe("the evidence of a portrait", () => {
  it.each(["portrait-missing", "front-not-alone"] as const)("is none where the finding %s holds", (name) => {
    const found = finding({ name, stage: "capture", code: 643, consequence: "resubmit", holds: true });
    expect(portraitEvidenceOf([...fitting, cue("ghost-differs")], [found, userIs(false)])).toBe("unproven");
    expect(portraitEvidenceOf(fitting, [{ ...found, holds: false }])).toBe("print-consistent");
  });

  it("is none without traces, with one kind of them, and with traces of other parts", () => {
    expect(portraitEvidenceOf([], [])).toBe("unproven");
    expect(portraitEvidenceOf([cue("portrait-noise"), cue("portrait-noise", "none", "back")], [])).toBe(
      "unproven",
    );
    expect(portraitEvidenceOf([cue("grey-copy"), cue("edited-line"), cue("portrait-grid")], [])).toBe(
      "unproven",
    );
  });

  it.each<readonly [string, readonly DocumentCue[]]>([
    ["noise and grid, which are one measurement", [cue("portrait-noise"), cue("portrait-grid")]],
    ["traces of the back", [cue("portrait-noise", "none", "back"), cue("portrait-detail", "none", "back")]],
    ["detail of the back", [cue("portrait-noise"), cue("portrait-detail", "none", "back")]],
    ["two faces on the back", [cue("ghost-differs", "none", "back")]],
  ])("is none for %s", (_, cues) => {
    expect(portraitEvidenceOf(cues, [userIs(false)])).toBe("unproven");
    expect(portraitEvidenceOf([...cues, cue("portrait-noise"), cue("portrait-history")], [])).toBe(
      "print-consistent",
    );
  });

  it("is none where the only face may be a ghost", () => {
    const found = finding({
      name: "portrait-missing",
      stage: "portrait",
      code: 643,
      consequence: "resubmit",
      holds: false,
    });
    expect(portraitEvidenceOf(fitting, [found])).toBe("print-consistent");
    expect(portraitEvidenceOf(fitting, [{ ...found, evidence: { isSizeUnknown: true } }])).toBe("unproven");
  });

  it("is consistent print where two kinds of traces fit", () => {
    expect(portraitEvidenceOf(fitting, [])).toBe("print-consistent");
    expect(portraitEvidenceOf(fitting, [userIs("unknown"), userIs(true)])).toBe("print-consistent");
  });

  it("is the registered user, and more than that a ghost of the same face", () => {
    expect(portraitEvidenceOf([], [userIs(false)])).toBe("unproven");
    expect(portraitEvidenceOf(fitting, [userIs(false)])).toBe("reference");
    expect(portraitEvidenceOf([cue("ghost-differs")], [userIs(false)])).toBe("ghost");
  });

  it.each(["weak", "strong"] as const)(
    "is none where a trace is %s, whatever else shows the same face",
    (level) => {
      expect(portraitEvidenceOf([...fitting, cue("portrait-grid", level)], [])).toBe("unproven");
      expect(portraitEvidenceOf([...fitting, cue("ghost-differs", level)], [userIs(false)])).toBe("unproven");
      // A trace of the whole card says nothing of its portrait.
      expect(portraitEvidenceOf([...fitting, cue("fine-pattern", level)], [])).toBe("print-consistent");
    },
  );
});

import { describe, expect, it } from "vitest";
import { caseOf } from "#support/document/reading";
import { sceneNameOf, untiedScenes } from "#support/document/untied-cards";
import { readRecording } from "#support/networks/recorded-measurements";
import type { DocumentReading } from "../../reading/reading.ts";
import { decideDocument } from "../decide.ts";
import { diagnose } from "../pad/diagnose.ts";

/** What untied-sides.engine.test.ts reads. */
const file = new URL("untied-sides.engine.generated.json", import.meta.url);
const { measurements } = readRecording<DocumentReading>(file);

describe.each(untiedScenes)("$name of $country", (scene) => {
  const { country, type, isOwn = false } = scene;
  const reading = measurements.get(sceneNameOf(scene))!;
  const { fields, declared, now, policy } = caseOf(reading, { country, type });
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  const { decision } = diagnose(reading, decided, undefined, policy);

  it(isOwn ? "is approved and credible" : "is neither approved nor credible", () => {
    expect([decided.decision.code === 9001, decision === "Credible"]).toEqual([isOwn, isOwn]);
  });
});

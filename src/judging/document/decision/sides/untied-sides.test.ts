import { describe, expect, it } from "vitest";
import { caseOf } from "#support/document/reading";
import { readUntied } from "#support/document/untied-readings";
import { decideDocument } from "../decide.ts";
import { diagnose } from "../pad/diagnose.ts";

const scenes = readUntied();

describe.each(scenes)("$0.name of $0.country", (scene, reading) => {
  const { country, type, isOwn = false } = scene;
  const { fields, declared, now, policy } = caseOf(reading, { country, type });
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  const { decision } = diagnose(reading, decided, undefined, policy);

  it(isOwn ? "is approved and credible" : "is neither approved nor credible", () => {
    expect([decided.decision.code === 9001, decision === "Credible"]).toEqual([isOwn, isOwn]);
  });
});

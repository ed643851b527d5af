import { expect, it } from "vitest";
import { clearingNote, strictClearingNote } from "./clearing-note.ts";

const noteOf = (mode: "development" | "production", assurance: "interface" | "strict") =>
  clearingNote({
    mode,
    clearing: { assurance },
    faces: { falseMatchRates: { selfie: 0.01, document: 0.001, registry: 0.01 } },
  });

it("states in production what the default policy of clearing accepts, with the rate that is set", () => {
  expect(noteOf("production", "interface")).toMatch(
    /false match rate of 0\.001.*IDEM_CLEARING_ASSURANCE=strict/,
  );
});

it("states nothing under the strict policy, and nothing in development", () => {
  expect(noteOf("production", "strict")).toBeUndefined();
  expect(noteOf("development", "interface")).toBeUndefined();
});

it("states under the strict policy that an own cohort or an added recogniser refuses every token", () => {
  const strict = { clearing: { assurance: "strict" } } as const;
  const scale = { name: "cohort/0123abcd" };
  const withRecogniser = { "face-recogniser": { active: ["a model"] } };
  expect(strictClearingNote(strict, {}, scale)).toMatch(/refuses every clearing token.*own cohort/);
  expect(strictClearingNote(strict, withRecogniser, scale)).toMatch(/refuses.*an added recogniser$/);
  // A recogniser without a calibration has no scale.
  expect(strictClearingNote(strict, withRecogniser, undefined)).toMatch(/an added recogniser$/);
  expect(strictClearingNote(strict, {}, undefined)).toBeUndefined();
  const usual = { clearing: { assurance: "interface" } } as const;
  expect(strictClearingNote(usual, withRecogniser, scale)).toBeUndefined();
});

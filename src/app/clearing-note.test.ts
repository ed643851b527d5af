import { expect, it } from "vitest";
import { clearingNote } from "./clearing-note.ts";

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

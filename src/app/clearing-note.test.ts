import { expect, it } from "vitest";
import { clearingNote } from "./clearing-note.ts";

const entity = {
  url: "https://entity.example",
  basic: "basic",
  institution: "1",
  certificateKey: "key",
  credentials: undefined,
};

const noteOf = (
  mode: "development" | "production",
  assurance: "interface" | "strict",
  entities: { readonly live: typeof entity | undefined } = { live: entity },
) =>
  clearingNote({
    mode,
    clearing: { assurance, entities },
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

it("states nothing where no clearing entity of live keys is configured", () => {
  expect(noteOf("production", "interface", { live: undefined })).toBeUndefined();
});

import { describe, expect, it } from "vitest";
import { createVerificationRoute } from "./verification.routes.ts";

const faultsOf = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  (createVerificationRoute.rules?.(fields) ?? []).map(({ field, message }) => `${field}: ${message}`);

const document = { country: "CHL", type: "PASSPORT" };
const whole = { flow: "document_and_selfie", document, selfie: "A", documentFront: "A" };

describe("a request for a verification", () => {
  it.each([
    ["own images", whole],
    ["both sides of a card", { ...whole, document: { ...document, type: "ID_CARD" }, documentBack: "A" }],
    ["a session that exists", { flow: "document", document, captureSessionId: "session" }],
    [
      "a session that is opened",
      { flow: "document_and_selfie", document, level: "active-turn", capture: {} },
    ],
    ["a user", { flow: "selfie_of_user", userId: "user-4711", selfie: "A" }],
    ["an age", { flow: "age_over", age: 18, document, documentFront: "A" }],
  ])("is taken with %s", (_, fields) => {
    expect(faultsOf(fields)).toEqual([]);
  });

  it.each([
    [
      "no image",
      { flow: "document_and_selfie", document },
      [
        "selfie: is required without captureSessionId and capture",
        "documentFront: is required without captureSessionId and capture",
      ],
    ],
    [
      "one side of a card",
      { ...whole, document: { ...document, type: "ID_CARD" } },
      ["documentBack: is required for documents with two sides"],
    ],
    [
      "no document",
      { flow: "document", documentFront: "A" },
      ["document: is required for the flow document"],
    ],
    [
      "neither user nor age",
      { flow: "age_over", document, documentFront: "A" },
      ["age: is required for the flow age_over"],
    ],
    ["no user", { flow: "selfie_of_user", selfie: "A" }, ["userId: is required for the flow selfie_of_user"]],
    [
      "fields of other flows",
      {
        flow: "document",
        document,
        documentFront: "A",
        selfie: "A",
        userId: "ab",
        age: 18,
        level: "passive",
      },
      ["selfie", "userId", "age", "level"].map((field) => `${field}: is not used by the flow document`),
    ],
    [
      "two sources",
      { ...whole, capture: {}, captureSessionId: "session" },
      ["capture: must be absent where captureSessionId is given"],
    ],
    [
      "images beside a session",
      { ...whole, captureSessionId: "session" },
      [
        "selfie: must be absent where captureSessionId is given",
        "documentFront: must be absent where captureSessionId is given",
      ],
    ],
    [
      "an operation beside a session that has one",
      { flow: "document", document, captureSessionId: "session", operationId: "operation" },
      ["operationId: must be absent where captureSessionId is given: the session has an operation"],
    ],
    [
      "a country and an origin that are none",
      {
        flow: "document",
        document: { ...document, country: "QQQ" },
        capture: { origin: "http://bank.example", returnUrl: "ftp://bank.example" },
      },
      [
        "document.country: is no ISO 3166-1 alpha-3 code",
        "capture.origin: must be an https origin without a path, such as https://bank.example, or an http origin of localhost, 127.0.0.1 or [::1]",
        "capture.returnUrl: must be an https URL, or an http URL of localhost, 127.0.0.1 or [::1]",
      ],
    ],
  ])("is refused with %s", (_, fields, expected) => {
    expect(faultsOf(fields)).toEqual(expected);
  });

  it("of an unknown flow is left to the schema", () => {
    expect(faultsOf({ flow: "everything" })).toEqual([]);
  });
});

import { expect, it } from "vitest";
import { isOwnEntry, subjectsOf } from "./own-entries.ts";

const record = { key: "k", measurements: null, policy: "1", models: {}, tokens: [] };
const at = "2026-11-23T10:00:00.000Z";
const subjects = subjectsOf(
  { id: "op", environment: "test" },
  [
    { id: "t1", endpoint: "identity", at, record: null },
    { id: "t2", endpoint: "documentValidation", at, record: { ...record, result: { scanReference: "s1" } } },
  ],
  [{ id: "a1" }],
);
const link = (kind: string, body?: unknown) => ({
  tenantId: "t",
  seq: 1,
  id: "e",
  kind,
  at: 1,
  prevHash: "",
  hash: "",
  ...(body !== undefined && { body: { at: 1, salt: "", text: JSON.stringify(body) } }),
});

it.each([
  ["document_decided", { transaction: "t2", result: {} }],
  ["operation_ended", { operation: "op", transaction: "t1" }],
  ["asset_read", { asset: "a1", operation: "op" }],
  ["review_claimed", { validation: "s1", key: "k" }],
  ["evidence_exported", { operation: "op", environment: "test" }],
])("%s of a call, an image or a validation of the operation belongs to it", (kind, body) => {
  expect(isOwnEntry(link(kind, body), subjects)).toBe(true);
});

it.each([
  ["of another call", "document_decided", { transaction: "t3" }],
  [
    "of an operation with the same id in another environment",
    "operation_ended",
    { operation: "op", transaction: "t9" },
  ],
  ["of an export in another environment", "evidence_exported", { operation: "op", environment: "live" }],
  ["of an image of another operation", "asset_read", { asset: "a2", operation: "op" }],
  ["without its body", "document_decided", undefined],
  ["with a body of another form", "document_decided", ["t1"]],
  ["that names a call in another member", "person_deleted", { person: "t1" }],
])("an entry %s does not", (_, kind, body) => {
  expect(isOwnEntry(link(kind, body), subjects)).toBe(false);
});

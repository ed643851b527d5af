/** The sealed columns of all tables, and how each is opened: a test compares the list with the tables. */
import type { Keyring, Purpose } from "#storage/blobs";
import { type CheckedRow, camelOf } from "#storage/database-check";
import { rightTables } from "#storage/rights/declared-tables";
import { openBox } from "#storage/sealed-box";

/** Opens a sealed column of a row, for its seal alone. Rejects as `Keyring.open`, or with an Error of the sealed box. */
type OpenColumn = (keyring: Pick<Keyring, "open">, row: CheckedRow, sealed: Uint8Array) => Promise<unknown>;

export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** Columns that the seal is bound to, beside the primary key. */
  readonly needs: readonly string[];
  /** A row without content has no bytes there. */
  readonly mayBeEmpty: boolean;
  readonly open: OpenColumn;
};

/** The text of a column; a number as text. */
export const textOf = (row: CheckedRow, column: string): string => {
  const value = row[camelOf(column)];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

const tenantOf = (row: CheckedRow): string => textOf(row, "tenant_id");

/** A column that the key ring seals. `context` names columns in braces. */
const under = (
  purpose: Purpose,
  place: string,
  context: string,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): SealedColumn => {
  const [table = "", column = ""] = place.split(".");
  const needs = [...context.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    table,
    column,
    needs,
    mayBeEmpty,
    open: (keyring, row, sealed) =>
      keyring.open(
        tenantOf(row),
        purpose,
        sealed,
        context.replace(/\{(\w+)\}/g, (_, name: string) => textOf(row, name)),
      ),
  };
};

/** A face template: sealed under a key of its own, which the row holds sealed (users/template-vault.ts). */
const template = (table: string, owner: string): readonly SealedColumn[] => [
  under("templates", `${table}.wrapped_key`, `person {${owner}} key`),
  under("secrets", `${table}.sealed_transform`, `person {${owner}} transform`),
  {
    table,
    column: "sealed_template",
    needs: [owner, "key_id", "wrapped_key"],
    mayBeEmpty: false,
    open: async (keyring, row, sealed) => {
      const [tenantId, id] = [tenantOf(row), textOf(row, owner)];
      const wrapped = bytesOf(row, "wrapped_key") ?? new Uint8Array();
      const bytes = await keyring.open(tenantId, "templates", wrapped, `person ${id} key`);
      const key = { id: textOf(row, "key_id").replaceAll("-", ""), bytes };
      return openBox(key, ["person template", tenantId, id], sealed);
    },
  },
];

/** The bytes of a column; undefined where it is null. */
export const bytesOf = (row: CheckedRow, column: string): Uint8Array | undefined => {
  const value = row[camelOf(column)];
  return value instanceof Uint8Array ? value : undefined;
};

export const sealedColumns: readonly SealedColumn[] = [
  under("measurements", "transactions.sealed_measurements", "transaction {id}", { mayBeEmpty: true }),
  under("documents", "validations.sealed_input", "validation-input {id}"),
  under("documents", "validations.sealed_record", "validation-record {id}"),
  under("documents", "validations.sealed_session", "provider-session {id}"),
  under("documents", "reviews.sealed_proposal", "review-statement {validation_id}"),
  under("documents", "listed_documents.sealed_note", "listed document {id} note"),
  ...template("users", "id"),
  ...template("user_references", "user_id"),
  ...template("blocked_faces", "id"),
  under("templates", "blocked_faces.sealed_note", "blocked {id} note"),
  under("answers", "idempotent_calls.sealed_answer", "answer {name} {transaction_id}"),
  under("operations", "operations.sealed_customer", "operation {id}"),
  under("operations", "operation_steps.sealed_extra", "operation {operation_id}"),
  under("operations", "events.sealed_data", "event {id}"),
  under("operations", "destinations.sealed_settings", "destination {id}", { mayBeEmpty: true }),
  under("operations", "destination_tokens.sealed_token", "token of destination {destination_id}"),
  under("operations", "delivery_attempts.sealed_answer", "answer {destination_id} {event_id} {attempt}"),
  under("registry", "registry_persons.sealed", "registry person {environment} {country} {hash}"),
  under("registry", "registry_photos.sealed", "registry photo {environment} {country} {hash}"),
  under("transfers", "clearing_transfers.sealed", "transfer {id}"),
  under("transfers", "clearing_callbacks.sealed", "callback {id}"),
  under("captures", "capture_sessions.sealed", "capture session {id}"),
  under("verifications", "verifications.sealed", "verification {id}"),
];

/** Columns of bytes that other checks read: tokens of anchors, wrapped data keys, secrets of the deployment, seals of rights. */
export const otherBytes: readonly string[] = [
  "evidence_anchors.token",
  "keys.wrapped",
  "secrets.sealed",
  ...Object.keys(rightTables).map((table) => `${table}.seal`),
];

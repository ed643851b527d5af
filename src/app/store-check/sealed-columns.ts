/** The sealed columns of all tables, and how each is opened: a test compares the list with the tables. */
import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Keyring, Purpose } from "#machine/storage/blobs";
import { type CheckedRow, camelOf } from "#machine/storage/database-check";
import { rightTables } from "#machine/storage/rights/declared-tables";
import { openBox } from "#machine/storage/sealed-box";

/** Opens a sealed column of a row, for its seal alone. Rejects as `Keyring.open`, or with an Error of the sealed box. */
type OpenColumn = (
  keyring: Pick<Keyring, "open">,
  row: CheckedRow,
  sealed: Uint8Array,
) => Promise<Uint8Array>;

export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** Columns that the seal is bound to, beside the primary key. */
  readonly needs: readonly string[];
  readonly boundBy: EnvironmentBinding;
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

/**
 * What binds a seal to an environment. row: the column `environment`. owner: that of the row's owner, which the row does not name,
 * so the seal opens in one of both; the check of the owner names a change. words: the words of the context.
 */
export type EnvironmentBinding = "row" | "owner" | "words";

type Environment = Caller["environment"];

const openIn: Readonly<
  Record<
    EnvironmentBinding,
    (keyring: Pick<Keyring, "open">, row: CheckedRow, of: Sealed) => Promise<Uint8Array>
  >
> = {
  row: (keyring, row, { purpose, owner, sealed }) =>
    keyring.open(tenantOf(row), purpose, sealed, { owner, environment: environmentOf(row) }),
  owner: async (keyring, row, { purpose, owner, sealed }) => {
    const open = (environment: Environment) =>
      keyring.open(tenantOf(row), purpose, sealed, { owner, environment });
    return await open("live").catch((error: unknown) => {
      if (error instanceof Failure && error.code === "stored_damaged") return open("test");
      throw error;
    });
  },
  words: (keyring, row, { purpose, owner, sealed }) => keyring.open(tenantOf(row), purpose, sealed, owner),
};

type Sealed = { readonly purpose: Purpose; readonly owner: string; readonly sealed: Uint8Array };

/** Fails with stored_damaged for a text that is no environment. */
const environmentOf = (row: CheckedRow): Environment => {
  const found = textOf(row, "environment");
  if (found === "live" || found === "test") return found;
  throw new Failure("stored_damaged");
};

type Options = { readonly mayBeEmpty?: boolean; readonly boundBy?: EnvironmentBinding };

/** A column that the key ring seals. `context` names columns in braces. */
const under = (
  purpose: Purpose,
  place: string,
  context: string,
  { mayBeEmpty = false, boundBy = "row" }: Options = {},
): SealedColumn => {
  const [table = "", column = ""] = place.split(".");
  const needs = [...context.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    table,
    column,
    needs: boundBy === "row" ? [...needs, "environment"] : needs,
    boundBy,
    mayBeEmpty,
    open: async (keyring, row, sealed) => {
      const owner = context.replace(/\{(\w+)\}/g, (_, name: string) => textOf(row, name));
      return await openIn[boundBy](keyring, row, { purpose, owner, sealed });
    },
  };
};

/**
 * A face template: sealed under a key of its own, which the row holds sealed (features/users/template-vault.ts). The seal of that key binds all
 * of it to the environment.
 */
const template = (
  table: string,
  owner: string,
  boundBy: EnvironmentBinding = "row",
): readonly SealedColumn[] => {
  const key = under("templates", `${table}.wrapped_key`, `person {${owner}} key`, { boundBy });
  return [
    key,
    under("secrets", `${table}.sealed_transform`, `person {${owner}} transform`, { boundBy }),
    {
      table,
      column: "sealed_template",
      needs: [...key.needs, "key_id", "wrapped_key"],
      boundBy,
      mayBeEmpty: false,
      open: async (keyring, row, sealed) => {
        const bytes = await key.open(keyring, row, bytesOf(row, "wrapped_key") ?? new Uint8Array());
        const boxKey = { id: textOf(row, "key_id").replaceAll("-", ""), bytes };
        return openBox(boxKey, ["person template", tenantOf(row), textOf(row, owner)], sealed);
      },
    },
  ];
};

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
  ...template("user_references", "user_id", "owner"),
  ...template("blocked_faces", "id"),
  under("templates", "blocked_faces.sealed_note", "blocked {id} note"),
  under("answers", "idempotent_calls.sealed_answer", "answer {name} {transaction_id}", {
    // The name is a keyed hash of the environment and the retry key.
    boundBy: "words",
  }),
  under("operations", "operations.sealed_customer", "operation {id}"),
  under("operations", "operation_steps.sealed_extra", "operation {operation_id}"),
  under("operations", "events.sealed_data", "event {id}"),
  under("operations", "destinations.sealed_settings", "destination {id}", { mayBeEmpty: true }),
  under("operations", "destination_tokens.sealed_token", "token of destination {destination_id}", {
    boundBy: "owner",
  }),
  under("operations", "delivery_attempts.sealed_answer", "answer {destination_id} {event_id} {attempt}", {
    boundBy: "owner",
  }),
  under("registry", "registry_persons.sealed", "registry person {environment} {country} {hash}", {
    boundBy: "words",
  }),
  under("registry", "registry_photos.sealed", "registry photo {environment} {country} {hash}", {
    boundBy: "words",
  }),
  under("transfers", "clearing_transfers.sealed", "transfer {id}"),
  under("transfers", "one_shots.sealed", "callback {id}"),
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

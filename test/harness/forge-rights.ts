/**
 * Changes rows that give a right past the service, by SQL, as who can write to the database does. No page and
 * no index is out of order.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Draw } from "./damage.ts";

type Row = Readonly<Record<string, string | number | Uint8Array | null>>;

/** A row that a report must name. */
export type ForgedRow = { readonly table: string; readonly id: string };

/** A forgery in the open database. Returns the rows that it added, changed or removed. */
type Forge = (of: {
  readonly run: (statement: string, ...values: readonly unknown[]) => void;
  /** Rows that a statement finds, in the order of their key. */
  readonly rows: (statement: string) => readonly Row[];
  /** One of them. */
  readonly pick: (statement: string) => Row;
}) => readonly ForgedRow[];

const change =
  (table: string, set: string, where = "true", id = "id"): Forge =>
  ({ run, pick }) => {
    const row = pick(`select * from ${table} where ${where} order by ${id}`);
    run(`update ${table} set ${set} where ${id} = ?`, row[id]);
    return [{ table, id: nameOf(row, id) }];
  };

/** Reports shorten a hash: it may find what it was made from. */
const nameOf = (row: Row, id: string): string =>
  id === "hash" ? String(row[id]).slice(0, 8) : String(row[id]);

/** Exchanges a column of two rows. */
const swap =
  (table: string, column: string, key: string, where = "true"): Forge =>
  ({ run, rows }) => {
    const [one, other] = rows(`select * from ${table} where ${where} order by ${key}`);
    if (one === undefined || other === undefined) throw new Error(`${table} has no two rows`);
    run(`update ${table} set ${column} = ? where ${key} = ?`, other[column], one[key]);
    run(`update ${table} set ${column} = ? where ${key} = ?`, one[column], other[key]);
    return [one, other].map((row) => ({ table, id: String(row[key]) }));
  };

const remove =
  (table: string): Forge =>
  ({ run, pick }) => {
    const row = pick(`select * from ${table} order by id`);
    run(`delete from ${table} where id = ?`, row["id"]);
    return [{ table, id: String(row["id"]) }];
  };

/** A row like another, with a new id and what the statement says. */
const add =
  (table: string, changes: Readonly<Record<string, string>>): Forge =>
  ({ run, pick }) => {
    const { ...row } = pick(`select * from ${table} order by id`);
    const id = randomUUID();
    const names = Object.keys(row);
    const cells = names.map((name) => (name === "id" ? "?" : (changes[name] ?? name)));
    run(
      `insert into ${table} (${names.join(", ")}) select ${cells.join(", ")} from ${table} where id = ?`,
      id,
      row["id"],
    );
    return [{ table, id }];
  };

const active = "revoked_at is null";

/** Each kind of forgery. */
export const forgeries = {
  "an API key added without a seal": add("api_keys", { hash: "hex(randomblob(32))", seal: "null" }),
  "an API key added with the seal of another": add("api_keys", { hash: "hex(randomblob(32))" }),
  "scopes of an API key": change("api_keys", `scopes = '["face","document","user","key"]'`, active),
  "the end of an API key put off": change("api_keys", "expires_at = expires_at + 864000000", active),
  "the end of an API key removed": change("api_keys", "expires_at = null", active),
  "the environment of an API key": change("api_keys", "environment = 'live'", active),
  "a revoked API key in force": change("api_keys", "revoked_at = null", "revoked_at is not null"),
  "an API key removed": remove("api_keys"),
  "a receiver added": add("destinations", {}),
  "settings of two receivers exchanged": swap("destinations", "sealed_settings", "id", "state = 'active'"),
  "topics of a receiver": change("destinations", `topics = '["customer"]'`, "state = 'active'"),
  "a removed receiver in force": change("destinations", "state = 'active'", "state = 'removed'"),
  "credentials exchanged between tenants": swap("clearing_credentials", "password_hash", "tenant_id"),
  "a blocked face removed": remove("blocked_faces"),
  "a listed document removed": remove("listed_documents"),
  "the country of a tenant": change("tenants", "default_country = 'PER'", "default_country is not null"),
  "the uses of a clearing token": change("clearing_tokens", "uses = 0", "true", "hash"),
  "the session of a page's token": change("capture_tokens", "session_id = session_id || '0'", "true", "hash"),
  "the sealed end of a chain": change("evidence_heads", "seq = seq - 1", "true", "tenant_id"),
} as const satisfies Readonly<Record<string, Forge>>;

export type Forgery = keyof typeof forgeries;

/** Forges in a data directory that no process has open. Returns the rows that a report must name. */
export const forgeRights = (directory: string, kind: Forgery, draw: Draw): readonly ForgedRow[] => {
  const sqlite = new Database(join(directory, "idem.sqlite"));
  try {
    // A hand with SQL need not keep references.
    sqlite.pragma("foreign_keys = off");
    const rows = (statement: string): readonly Row[] => sqlite.prepare<[], Row>(statement).all();
    const named = forgeries[kind]({
      rows,
      run: (statement, ...values) => void sqlite.prepare(statement).run(...values),
      pick: (statement) => {
        const found = rows(statement);
        const row = found[draw(found.length)];
        if (row === undefined) throw new Error(`No row: ${statement}`);
        return row;
      },
    });
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
    return named;
  } finally {
    sqlite.close();
  }
};

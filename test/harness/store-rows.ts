import { join } from "node:path";
import Database from "better-sqlite3";

/** A row as SQLite returns it. */
export type StoredRow = Readonly<Record<string, unknown>>;

/**
 * The rows that a statement finds in the embedded store of a data directory, also beside the process that has
 * it open.
 */
export const readRows = (
  directory: string,
  statement: string,
  ...values: readonly unknown[]
): readonly StoredRow[] => {
  const database = new Database(join(directory, "idem.sqlite"), { readonly: true });
  try {
    return database.prepare<unknown[], StoredRow>(statement).all(...values);
  } finally {
    database.close();
  }
};

/**
 * Ends leases in the embedded store of a service that runs, as if their time had passed: those that end
 * before `until`. For the leases of a process that was killed.
 */
export const endLeases = (
  directory: string,
  table: "deliveries" | "idempotent_calls",
  until: Date = new Date(8.64e15),
): void => {
  const database = new Database(join(directory, "idem.sqlite"), { timeout: 5_000 });
  try {
    database
      .prepare(`update ${table} set leased_until = 0 where leased_until > 0 and leased_until <= ?`)
      .run(until.getTime());
  } finally {
    database.close();
  }
};

/** The number in the column `n` of the first row. */
export const countRows = (directory: string, statement: string, ...values: readonly unknown[]): number =>
  Number(readRows(directory, statement, ...values)[0]?.["n"]);

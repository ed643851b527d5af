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

/** The number in the column `n` of the first row. */
export const countRows = (directory: string, statement: string, ...values: readonly unknown[]): number =>
  Number(readRows(directory, statement, ...values)[0]?.["n"]);

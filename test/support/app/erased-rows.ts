/** Rows of every table of a store, for tests of erasures. They are written past the commands. */
import type Database from "better-sqlite3";

/** A value of a column. */
export type Cell = string | number | Buffer | null;

/** A column of a table, as SQLite describes it. */
export type Column = {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly pk: number;
};

/** When the rows were made: an hour ago. */
export const madeAt = new Date(Date.now() - 3_600_000);

/** Values that the checks of a table ask for. */
const values: Readonly<Record<string, Readonly<Record<string, Cell>>>> = {
  capture_sessions: { state: "OPEN" },
  capture_tokens: { holder: "page" },
  one_shots: { state: "due", sealed: Buffer.from([1]) },
  clearing_tokens: { same_person_by: "image", uses: 0, uses_max: 1 },
  clearing_transfers: { state: "created" },
  deliveries: { state: "due" },
  destinations: { state: "active" },
  operations: { state: "open" },
  transactions: { measurements: "null", result: "{}", models: "{}", token_hashes: "[]" },
  validations: { status: "DONE", decided_at: madeAt.getTime() },
  verifications: { state: "PROCESSING" },
};

/** The names of all tables, in order. */
export const tablesIn = (sqlite: Database.Database): readonly string[] =>
  sqlite
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' order by name")
    .all()
    .map(({ name }) => name);

/**
 * What the rows of one test hold: `text` in each text and id that `of` leaves open, `number` in each number.
 */
export type RowCells = {
  readonly of: (column: string, table: string) => Cell | undefined;
  readonly text: string;
  readonly number: number;
};

/** Writes a row. The values that the checks of its table ask for come first. */
export const insertRow = (sqlite: Database.Database, table: string, { of, text, number }: RowCells): void => {
  const columns = sqlite.prepare<[], Column>(`pragma table_info(${table})`).all();
  const cellOf = ({ name, type, notnull, pk }: Column): Cell => {
    const own = values[table]?.[name] ?? of(name, table);
    if (own !== undefined) return own;
    if (notnull === 0 && pk === 0) return null;
    if (name.endsWith("_at")) return madeAt.getTime();
    if (type.toLowerCase() === "integer") return number;
    if (type.toLowerCase() === "blob") return Buffer.from([1]);
    return text;
  };
  const names = columns.map(({ name }) => name);
  sqlite
    .prepare(`insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`)
    .run(...columns.map(cellOf));
};

/** The different words of the two databases for the same column types and rules. */
export type SqlDialect = {
  readonly text: string;
  readonly int: string;
  readonly bytes: string;
  /**
   * Before 'table', for rows that may be lost in a crash: PostgreSQL then writes no log and waits for no
   * disk.
   */
  readonly unlogged: string;
  /** Ends a table definition: SQLite checks column types only when asked. */
  readonly end: string;
  /** Refuses every change but INSERT on a table. */
  readonly appendOnly: (table: string) => readonly string[];
  /** Ends that refusal, for a migration that replaces the table. */
  readonly liftAppendOnly: (table: string) => readonly string[];
  /**
   * A second copy of plain columns that shows damage of the first; nothing where the database has checksums
   * of its own.
   */
  readonly witnesses: (columns: Readonly<Record<string, readonly string[]>>) => readonly string[];
  /** Refuses to change a row. Rows may be added and removed. */
  readonly unchanging: (table: string) => readonly string[];
};

export const sqliteDialect: SqlDialect = {
  text: "text",
  int: "integer",
  bytes: "blob",
  unlogged: "",
  end: ") strict, without rowid",
  appendOnly: (table) =>
    ["update", "delete"].map(
      (change) => `create trigger ${table}_no_${change} before ${change} on ${table}
        begin select raise(abort, '${table} is append-only'); end`,
    ),
  liftAppendOnly: (table) => ["update", "delete"].map((change) => `drop trigger ${table}_no_${change}`),
  witnesses: (columns) =>
    Object.entries(columns).map(
      // The plus makes an expression of each column, which no query asks for: the planner takes no witness
      // for a query.
      ([table, names]) =>
        `create index ${table}_witness on ${table} (${names.map((name) => `+${name}`).join(", ")})`,
    ),
  unchanging: (table) => [
    `create trigger ${table}_no_update before update on ${table}
      begin select raise(abort, '${table} rows do not change'); end`,
  ],
};

export const postgresDialect: SqlDialect = {
  // Byte order, as in SQLite, independent of the server's locale.
  text: 'text collate "C"',
  int: "bigint",
  bytes: "bytea",
  unlogged: "unlogged ",
  end: ")",
  appendOnly: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as
      $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_no_change before update or delete or truncate on ${table}
      for each statement execute function ${table}_refuse()`,
  ],
  liftAppendOnly: (table) => [
    `drop trigger ${table}_no_change on ${table}`,
    `drop function ${table}_refuse()`,
  ],
  witnesses: () => [],
  unchanging: (table) => [
    `create function ${table}_refuse() returns trigger language plpgsql as
      $$ begin raise exception '${table} rows do not change'; end $$`,
    `create trigger ${table}_no_change before update or truncate on ${table}
      for each statement execute function ${table}_refuse()`,
  ],
};

import { type Kysely, type RawBuilder, sql } from "kysely";

/** A fault of the database, in words, and the table or file that has it. */
export type DatabaseFault = { readonly place: string; readonly finding: string };

/**
 * A row with the columns that were asked for. Their names are in camel case, as everywhere beyond the SQL.
 */
export type CheckedRow = Readonly<Record<string, unknown>>;

/** A table and its primary key, as the database itself describes them. */
export type CheckedTable = { readonly name: string; readonly key: readonly string[] };

/**
 * A database that is checked, and its rows page by page. Reads alone; a service may have it open. Made by
 * {@link openSqliteCheck} and {@link openPostgresCheck}.
 */
export type DatabaseCheck = {
  readonly tables: () => Promise<readonly CheckedTable[]>;
  /**
   * What the database finds in its own files, structure and references. Never throws for damage: it names it.
   */
  readonly faults: (onTable: (done: number, total: number) => void) => AsyncGenerator<DatabaseFault>;
  /** What limits the check, in sentences. */
  readonly limits: () => Promise<readonly string[]>;
  /** All rows of a table in the order of its primary key. Throws where a page of the file cannot be read. */
  readonly rows: (table: CheckedTable, columns: readonly string[]) => AsyncGenerator<CheckedRow>;
  readonly close: () => Promise<void>;
};

/** Rows of one query. */
const pageMax = 500;

/**
 * The rows of a table, page by page along its primary key, so that no query is long and no page is held.
 * `more` is one more column, as an expression.
 */
export const makeRowReader = <Tables>(
  db: Kysely<Tables>,
  more?: (table: string) => RawBuilder<unknown>,
): DatabaseCheck["rows"] =>
  async function* ({ name, key }, columns) {
    const wanted = [...new Set([...key, ...columns])].map((column) => sql.ref(column));
    const list = sql.join([...wanted, ...(more === undefined ? [] : [more(name)])]);
    const order = sql.join(key.map((column) => sql.ref(column)));
    for (let last: CheckedRow | undefined; ; ) {
      const from =
        last === undefined
          ? sql``
          : sql`where (${order}) > (${sql.join(key.map((column) => last?.[camelOf(column)]))})`;
      // Primary key, a range of it.
      const { rows } = await sql<CheckedRow>`
        select ${list} from ${sql.table(name)} ${from} order by ${order} limit ${sql.lit(pageMax)}`.execute(
        db,
      );
      yield* rows;
      last = rows.at(-1);
      if (last === undefined || rows.length < pageMax) return;
    }
  };

/** `tenant_id` as `tenantId`, as Kysely's plugin writes it. */
export const camelOf = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Tables whose rows name a tenant that is not there, with the number of these rows. */
export async function* findUnknownTenants<Tables>(
  db: Kysely<Tables>,
  tables: readonly CheckedTable[],
): AsyncGenerator<DatabaseFault> {
  for (const { name } of tables.filter(({ key }) => key.includes("tenant_id"))) {
    // Primary key of the table, its first column; a probe of tenants for each tenant that the table names.
    const { rows } = await sql<{ readonly count: number | string }>`
      select count(*) as count from ${sql.table(name)}
      where not exists (select 1 from tenants where tenants.id = ${sql.ref(`${name}.tenant_id`)})`.execute(
      db,
    );
    const count = Number(rows[0]?.count ?? 0);
    if (count > 0) {
      yield { place: name, finding: `${count} rows belong to a tenant that the store does not have` };
    }
  }
}

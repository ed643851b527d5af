import { type Kysely, sql } from "kysely";
import {
  type CheckedTable,
  type DatabaseCheck,
  type DatabaseFault,
  findUnknownTenants,
  makeRowReader,
} from "./database-check.ts";
import { messageOf } from "./outage.ts";
import { openPostgresKysely, type PostgresAddress } from "./postgres-store.ts";

/**
 * Opens a PostgreSQL database. Its server compares each page with its checksum when it reads it, where the
 * cluster has checksums; the check makes it read every row of every table.
 */
export const openPostgresCheck = (address: PostgresAddress): DatabaseCheck => {
  const db = openPostgresKysely<unknown>({ ...address, connectionsMax: 1 });
  const tables = (): Promise<readonly CheckedTable[]> => tablesOf(db);
  return {
    tables,
    faults: async function* (onTable) {
      const all = await tables();
      for (const [at, table] of all.entries()) {
        onTable(at, all.length);
        yield* await readWhole(db, table);
      }
      yield* findUnknownTenants(db, all);
      onTable(all.length, all.length);
    },
    limits: async () => {
      const { rows } = await sql<{ readonly dataChecksums: string }>`show data_checksums`.execute(db);
      return rows[0]?.dataChecksums === "on"
        ? []
        : [
            "The server has no data checksums: changed bytes of plain columns are not noticed. Stop it and run pg_checksums --enable.",
          ];
    },
    rows: makeRowReader(db),
    close: () => db.destroy(),
  };
};

/** Makes the server read every column of every row, and sends back lengths alone. */
const readWhole = async (db: Kysely<unknown>, table: CheckedTable): Promise<readonly DatabaseFault[]> => {
  let read = 0;
  try {
    for await (const _ of makeRowReader(db, wholeRow)(table, [])) read += 1;
    return [];
  } catch (error) {
    return [{ place: table.name, finding: `after row ${read}: ${messageOf(error)}` }];
  }
};

/** The length of a row as text: the server reads all of it, the parts that are stored elsewhere too. */
const wholeRow = (table: string) =>
  sql`octet_length(cast(${sql.table(table)} as text)) as ${sql.ref("row_length")}`;

const tablesOf = async (db: Kysely<unknown>): Promise<readonly CheckedTable[]> => {
  // Catalogue look-up in the connection's search path.
  const { rows } = await sql<{ readonly name: string; readonly key: string }>`
    select class.relname as name, string_agg(attribute.attname, ',' order by part.place) as key
    from pg_index as index
    join pg_class as class on class.oid = index.indrelid
    cross join lateral unnest(index.indkey) with ordinality as part (number, place)
    join pg_attribute as attribute on attribute.attrelid = class.oid and attribute.attnum = part.number
    where index.indisprimary and pg_table_is_visible(class.oid)
      and class.relnamespace = (select relnamespace from pg_class where oid = to_regclass('migrations'))
    group by class.relname order by class.relname`.execute(db);
  return rows.map(({ name, key }) => ({ name, key: key.split(",") }));
};

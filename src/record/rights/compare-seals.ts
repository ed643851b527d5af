import { sql } from "kysely";
import { type ChainEnd, judgeEnd } from "#machine/storage/rights/chain-head";
import { type RightTableName, rightTables } from "#machine/storage/rights/declared-tables";
import { faultOf, placeOf, type RightSession, type RowFaultKind } from "#machine/storage/rights/door";
import { memberOf, type Row } from "#machine/storage/rights/row-seal";

/** A row that the service did not write as it stands. */
export type FoundFault = {
  readonly table: RightTableName;
  readonly tenantId: string;
  /** Table and primary key, as messages name them. */
  readonly place: string;
  /** The primary key, for `acceptRight`. */
  readonly key: readonly string[];
  /** end: the chain of the tenant does not end at its sealed end. */
  readonly fault: RowFaultKind | "end";
  /** What is wrong with the end of a chain. */
  readonly words?: string;
};

/** A page of rows that were compared, and how many they are; `last` is absent at the end of the table. */
export type ComparedPage = {
  readonly faults: readonly FoundFault[];
  readonly compared: number;
  readonly last?: readonly string[];
};

/** Most rows of a page of {@link pageOf}. */
export const pageMax = 500;

/** The primary key of a row. */
export const keyOf = (table: RightTableName, row: Row): readonly string[] =>
  rightTables[table].key.map((column) => String(row[memberOf(column)]));

/** The tenant of a row. */
export const tenantOf = (table: RightTableName, row: Row): string =>
  String(table === "tenants" ? row["id"] : row["tenantId"]);

const foundIn = (session: RightSession, table: RightTableName, row: Row): readonly FoundFault[] => {
  const fault = faultOf(session, table, row);
  if (fault === undefined) return [];
  return [
    { table, tenantId: tenantOf(table, row), place: placeOf(table, row), key: keyOf(table, row), fault },
  ];
};

/** Up to 500 rows after a primary key, a range of it. */
export const pageOf = async (
  { db }: RightSession,
  table: RightTableName,
  after: readonly string[] | undefined,
): Promise<readonly Row[]> => {
  const key = sql.join(rightTables[table].key.map((column) => sql.ref(column)));
  const rest = after === undefined ? sql`` : sql` where (${key}) > (${sql.join([...after])})`;
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)}${rest} order by ${key} limit ${sql.lit(pageMax)}`.execute(
      db,
    );
  return rows;
};

/** Compares the rows of a page. */
export const compareRows = async (
  session: RightSession,
  table: RightTableName,
  after: readonly string[] | undefined,
): Promise<ComparedPage> => {
  const rows = await pageOf(session, table, after);
  const faults = rows.flatMap((row) => foundIn(session, table, row));
  const last = rows.length < pageMax ? undefined : rows.at(-1);
  const compared = session.rights?.isHeld() === true ? rows.length : 0;
  return { faults, compared, ...(last && { last: keyOf(table, last) }) };
};

/** Compares each tenant's chain with its sealed end. */
export const compareEnds = async (session: RightSession, after = ""): Promise<ComparedPage> => {
  if (session.rights?.isHeld() !== true) return { faults: [], compared: 0 };
  // Primary key of tenants, a range of it.
  const { rows } = await sql<{
    readonly id: string;
  }>`select id from tenants where id > ${after} order by id limit ${sql.lit(pageMax)}`.execute(session.db);
  const faults: FoundFault[] = [];
  for (const { id } of rows) faults.push(...(await compareEnd(session, id)));
  const last = rows.length < pageMax ? undefined : rows.at(-1);
  return { faults, compared: rows.length, ...(last && { last: [last.id] }) };
};

/** The sealed end and the last entry, of one moment: an entry that is appended meanwhile is in neither. */
const readEnds = async (
  { db }: RightSession,
  tenantId: string,
): Promise<{ readonly stored: Row | undefined; readonly end: ChainEnd }> => {
  type Ends = Row & { readonly lastSeq: number | null; readonly lastHash: string | null };
  // Primary keys: one row of tenants and of evidence_heads, and the last one of evidence.
  const { rows } = await sql<Ends>`select head.*, newest.seq as last_seq, newest.hash as last_hash
    from tenants left join evidence_heads as head on head.tenant_id = tenants.id
    left join evidence as newest on newest.tenant_id = tenants.id
      and newest.seq = (select max(seq) from evidence where tenant_id = ${tenantId})
    where tenants.id = ${tenantId}`.execute(db);
  const [row] = rows;
  const { lastSeq, lastHash, ...head } = row ?? { lastSeq: null, lastHash: null };
  return {
    stored: typeof head["tenantId"] === "string" ? head : undefined,
    end: { seq: lastSeq ?? 0, hash: lastHash ?? "" },
  };
};

/** What is wrong at the end of one chain. */
export const compareEnd = async (session: RightSession, tenantId: string): Promise<readonly FoundFault[]> => {
  const { stored, end } = await readEnds(session, tenantId);
  const found = stored === undefined ? [] : foundIn(session, "evidence_heads", stored);
  if (found.length > 0) return found;
  const words = judgeEnd(stored, end);
  if (words === undefined) return [];
  const place = `evidence_heads ${tenantId}`;
  return [{ table: "evidence_heads", tenantId, place, key: [tenantId], fault: "end", words }];
};

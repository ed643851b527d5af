/**
 * The statements that tables of 'a row of an owner with an age' share: found by id and owner, listed, changed
 * at a revision, removed by age.
 */
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import type { Caller } from "#contract/endpoint";
import { deleteUnnamed } from "./blob-store.ts";
import { comesAfter, type ListPlace } from "./list-place.ts";
import type { Column, RowOf, Table } from "./table.ts";

/** Whose rows they are: a tenant's environment. */
export type Owner = Pick<Caller, "tenantId" | "environment">;

type RowSession = { readonly db: QueryExecutorProvider; readonly locksRows: boolean };

type OwnedTable = Table<
  string,
  {
    readonly tenantId: Column<string>;
    readonly id: Column<string>;
    readonly environment: Column<Caller["environment"]>;
    readonly createdAt: Column<number>;
  }
>;

/** A row at the revision that was read. */
export type AtRevision = { readonly tenantId: string; readonly id: string; readonly revision: number };

export type RowRules = {
  /** The column by which old rows are removed; the index `<table>_age` has it. */
  readonly age: "createdAt" | "changedAt";
  /**
   * The rows of another table that name these rows by a column: they go before them, in the same transaction.
   */
  readonly children?: { readonly table: string; readonly by: string };
};

/** Longest list that one command removes, so that other commands wait only milliseconds for it. */
const removedMax = 100;

/** Ids in a column, with commas. */
export const idsOf = (joined: string): readonly string[] => (joined === "" ? [] : joined.split(","));

/** The statements of one table. */
export const defineRows = <Of extends OwnedTable>(table: Of, rules: RowRules) => ({
  ...makeReads(table),
  change: makeChange(table),
  remove: makeRemove(table, rules),
});

const makeReads = <Of extends OwnedTable>({ name }: Of) => ({
  find: async (
    { db }: RowSession,
    { tenantId, environment }: Owner,
    id: string,
  ): Promise<RowOf<Of> | undefined> => {
    // Primary key, one row.
    const { rows } = await sql<RowOf<Of>>`select * from ${sql.table(name)}
      where tenant_id = ${tenantId} and id = ${id} and environment = ${environment}`.execute(db);
    return rows[0];
  },

  /** Up to `limit` rows, the newest first, after the last one of the page before. */
  list: async (
    { db }: RowSession,
    { tenantId, environment }: Owner,
    limit: number,
    after: ListPlace | undefined,
  ): Promise<readonly RowOf<Of>[]> => {
    const later = after === undefined ? sql`` : sql`and ${comesAfter(after)}`;
    // Index <table>_listed, backwards, from the end of the page before.
    const { rows } = await sql<RowOf<Of>>`select * from ${sql.table(name)}
      where tenant_id = ${tenantId} and environment = ${environment} ${later}
      order by created_at desc, id desc limit ${limit}`.execute(db);
    return rows;
  },
});

/**
 * Changes a row at the revision that was read, which then rises: of two changes of the same revision one
 * finds it. With a worker, only an open row while the worker has its lease. False, and nothing written,
 * otherwise.
 */
const makeChange =
  <Of extends OwnedTable>({ name }: Of) =>
  async (
    { db }: RowSession,
    { tenantId, id, revision }: AtRevision,
    columns: Partial<RowOf<Of>>,
    worker?: string,
  ): Promise<boolean> => {
    const set = Object.entries({ ...columns, revision: revision + 1 }).map(
      ([column, value]) => sql`${sql.ref(column)} = ${value}`,
    );
    const held = worker === undefined ? sql`` : sql`and leased_by = ${worker} and settled_at is null`;
    // Primary key, one row.
    const { numAffectedRows } = await sql`update ${sql.table(name)} set ${sql.join(set)}
      where tenant_id = ${tenantId} and id = ${id} and revision = ${revision} ${held}`.execute(db);
    return numAffectedRows === 1n;
  };

/** Whose old rows are removed, and which of them. */
type Removal = {
  readonly tenantId: string;
  readonly before: Date;
  /** Leaves open rows. */
  readonly isSettledOnly: boolean;
};

/**
 * Removes up to 100 rows of the tenant from before a time, the oldest first, open ones too unless it says
 * otherwise, with the rows of their objects. Returns how many. The sweep removes the objects.
 */
const makeRemove = (table: OwnedTable, rules: RowRules) => {
  const hasMore = "blobIds" in table.columns || rules.children !== undefined;
  const removeSome = hasMore ? removeWithMore : removeAlone;
  return (session: RowSession, tenantId: string, before: Date, isSettledOnly = false): Promise<number> =>
    removeSome(session, table, rules, { tenantId, before, isSettledOnly });
};

/** Index `<table>_age`. */
const selectOld = (
  what: RawBuilder<unknown>,
  { name }: OwnedTable,
  { age }: RowRules,
  { tenantId, before, isSettledOnly }: Removal,
) =>
  sql`select ${what} from ${sql.table(name)} where tenant_id = ${tenantId} and ${sql.ref(age)} < ${before.getTime()}
    ${sql.raw(isSettledOnly ? "and settled_at is not null" : "")} order by ${sql.ref(age)} limit ${removedMax}`;

/** The primary key deletes them. */
const removeAlone = async (
  { db }: RowSession,
  table: OwnedTable,
  rules: RowRules,
  removal: Removal,
): Promise<number> => {
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table.name)} where tenant_id = ${removal.tenantId}
      and id in (${selectOld(sql`id`, table, rules, removal)})`.execute(db);
  return Number(numAffectedRows);
};

/** With the rows of their children and of their objects. */
const removeWithMore = async (
  session: RowSession,
  table: OwnedTable,
  rules: RowRules,
  removal: Removal,
): Promise<number> => {
  const { tenantId } = removal;
  const what = "blobIds" in table.columns ? sql`id, blob_ids` : sql`id`;
  const old = selectOld(what, table, rules, removal);
  const lock = sql.raw(session.locksRows ? "for update" : "");
  const { rows } = await sql<{ readonly id: string; readonly blobIds?: string }>`${old} ${lock}`.execute(
    session.db,
  );
  if (rows.length === 0) return 0;
  const ids = rows.map(({ id }) => id);
  if (rules.children !== undefined) {
    const { table: of, by } = rules.children;
    // An index of that column.
    await sql`delete from ${sql.table(of)} where tenant_id = ${tenantId} and ${sql.ref(by)} in (${sql.join(ids)})`.execute(
      session.db,
    );
  }
  // Primary key, one probe for each.
  await sql`delete from ${sql.table(table.name)} where tenant_id = ${tenantId} and id in (${sql.join(ids)})`.execute(
    session.db,
  );
  const blobIds = rows.flatMap((row) => idsOf(row.blobIds ?? ""));
  await deleteUnnamed(session, tenantId, blobIds);
  return rows.length;
};

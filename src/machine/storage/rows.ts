/** The statements that tables of 'a row of an owner with an age' share: found by id and owner, listed, changed at a revision, removed by age. */
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
  /** Removes what names the rows, before they go. Part of the same transaction. */
  readonly removeChildren?: (session: RowSession, tenantId: string, ids: readonly string[]) => Promise<void>;
};

/** Longest list that one command removes, so that other commands wait only milliseconds for it. */
const removedMax = 100;

/** Ids in a column, with commas. */
export const idsOf = (joined: string): readonly string[] => (joined === "" ? [] : joined.split(","));

/** The row of a job that nobody leases, and that has no attempt behind it. */
export const released = { leasedBy: null, leasedUntil: null, attempts: 0, loneDeaths: null } as const;

export const defineRows = <Of extends OwnedTable>(table: Of, { age, removeChildren }: RowRules) => {
  type Row = RowOf<Of>;
  const name = sql.table(table.name);
  const holdsBlobs = "blobIds" in table.columns;

  /** Those of a tenant from before a time, the oldest first. Index `<table>_age`. */
  const oldRows = (what: RawBuilder<unknown>, tenantId: string, before: Date, isSettledOnly: boolean) =>
    sql`select ${what} from ${name} where tenant_id = ${tenantId} and ${sql.ref(age)} < ${before.getTime()}
      ${sql.raw(isSettledOnly ? "and settled_at is not null" : "")} order by ${sql.ref(age)} limit ${removedMax}`;

  const removeWithBlobs = async (
    session: RowSession,
    tenantId: string,
    before: Date,
    isSettledOnly: boolean,
  ): Promise<number> => {
    const lock = sql.raw(session.locksRows ? "for update" : "");
    const old = oldRows(sql`id, blob_ids`, tenantId, before, isSettledOnly);
    const { rows } = await sql<{ readonly id: string; readonly blobIds: string }>`${old} ${lock}`.execute(
      session.db,
    );
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await removeChildren?.(session, tenantId, ids);
    // Primary key, one probe for each.
    await sql`delete from ${name} where tenant_id = ${tenantId} and id in (${sql.join(ids)})`.execute(
      session.db,
    );
    await deleteUnnamed(
      session,
      tenantId,
      rows.flatMap(({ blobIds }) => idsOf(blobIds)),
    );
    return rows.length;
  };

  return {
    find: async (
      { db }: RowSession,
      { tenantId, environment }: Owner,
      id: string,
    ): Promise<Row | undefined> => {
      // Primary key, one row.
      const { rows } = await sql<Row>`select * from ${name}
        where tenant_id = ${tenantId} and id = ${id} and environment = ${environment}`.execute(db);
      return rows[0];
    },

    /** Up to `limit` rows, the newest first, after the last one of the page before. */
    list: async (
      { db }: RowSession,
      { tenantId, environment }: Owner,
      limit: number,
      after: ListPlace | undefined,
    ): Promise<readonly Row[]> => {
      const later = after === undefined ? sql`` : sql`and ${comesAfter(after)}`;
      // Index <table>_listed, backwards, from the end of the page before.
      const { rows } = await sql<Row>`select * from ${name}
        where tenant_id = ${tenantId} and environment = ${environment} ${later}
        order by created_at desc, id desc limit ${limit}`.execute(db);
      return rows;
    },

    /**
     * Changes a row at the revision that was read, which then rises: of two changes of the same revision one finds it. With a worker, only an
     * open row while the worker has its lease. False, and nothing written, otherwise.
     */
    change: async (
      { db }: RowSession,
      { tenantId, id, revision }: AtRevision,
      columns: Partial<Row>,
      worker?: string,
    ): Promise<boolean> => {
      const set = Object.entries({ ...columns, revision: revision + 1 }).map(
        ([column, value]) => sql`${sql.ref(column)} = ${value}`,
      );
      const held = worker === undefined ? sql`` : sql`and leased_by = ${worker} and settled_at is null`;
      // Primary key, one row.
      const { numAffectedRows } = await sql`update ${name} set ${sql.join(set)}
        where tenant_id = ${tenantId} and id = ${id} and revision = ${revision} ${held}`.execute(db);
      return numAffectedRows === 1n;
    },

    /**
     * Removes up to 100 rows of the tenant from before `before`, open ones too unless it says otherwise, with the rows of their objects.
     * Returns how many. The sweep removes the objects.
     */
    remove: async (
      session: RowSession,
      tenantId: string,
      before: Date,
      isSettledOnly = false,
    ): Promise<number> => {
      if (holdsBlobs) return await removeWithBlobs(session, tenantId, before, isSettledOnly);
      // The primary key deletes them.
      const { numAffectedRows } = await sql`delete from ${name} where tenant_id = ${tenantId}
        and id in (${oldRows(sql`id`, tenantId, before, isSettledOnly)})`.execute(session.db);
      return Number(numAffectedRows);
    },
  };
};

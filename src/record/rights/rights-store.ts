import { sql } from "kysely";
import type { Session } from "#machine/storage/database";
import type { ComparedTable } from "#machine/storage/rights/compared-tables";
import { type RightTableName, tableNames } from "#machine/storage/rights/declared-tables";
import type { Row } from "#machine/storage/rights/row-seal";
import { accept } from "./accept-right.ts";
import { begin } from "./begin-rights.ts";
import { type ComparedPage, compareEnds, compareRows } from "./compare-seals.ts";
import { rightsEvidenceKinds, type WriteStep } from "./evidence-kinds.ts";
import { listRights, listUnrevoked, type RightItem } from "./right-facts.ts";

/** Commands for the seals of rows that give a right; implemented by {@link makeRightsCommands}. */
export type RightsCommands = {
  /**
   * Keeps the key of the seals, which the caller sealed under the master key, and seals each row, in one
   * commit. Writes an entry of evidence for each tenant that has rows. False, and nothing written, where the
   * store has a key.
   */
  readonly beginRights: (
    key: Uint8Array,
    sealedKey: Uint8Array,
    at: Date,
    /** The operator begins the seals anew: the entry has a kind of its own. Default: a first start. */
    isAnew?: boolean,
  ) => Promise<boolean>;
  /** Whether a row has a seal, or an entry states that rows were sealed: then the store has had a key. */
  readonly hasSeals: () => Promise<boolean>;
  /** Compares up to 500 rows after the primary key `after`. Finds nothing where no key is held. */
  readonly compareRights: (table: RightTableName, after?: readonly string[]) => Promise<ComparedPage>;
  /**
   * Up to 1000 rows of a tenant whose making and end are in the evidence, whatever their seals are, with ids
   * above `after`.
   */
  readonly listRights: (
    tenantId: string,
    table: ComparedTable,
    after: string,
  ) => Promise<readonly RightItem[]>;
  /** Those of up to 500 images of a tenant whose rows are there and not revoked. */
  readonly listUnrevoked: (tenantId: string, ids: readonly string[]) => Promise<readonly string[]>;
  /**
   * Seals a row as it stands, or a chain at its present end, and writes an entry of evidence that states the
   * row: the operator has judged it. False where there is no such row, or where it is whole. `differs`: the
   * entries say something else, so a whole or a missing row is stated too.
   */
  readonly acceptRight: (
    table: RightTableName,
    key: readonly string[],
    at: Date,
    differs?: boolean,
  ) => Promise<boolean>;
};

export const makeRightsCommands = <Tables>(
  session: Session<Tables>,
  writeStep: WriteStep<Tables>,
): RightsCommands => ({
  beginRights: (key, sealedKey, at, isAnew = false) =>
    begin(session, writeStep, { key, sealedKey, at, isAnew }),

  hasSeals: async () => {
    for (const table of tableNames) {
      // One row, or a scan of a table whose rows have no seal: at the first start alone.
      const { rows } =
        await sql<Row>`select 1 as found from ${sql.table(table)} where seal is not null limit 1`.execute(
          session.db,
        );
      if (rows.length > 0) return true;
    }
    // A scan of the entries, where there is neither a key nor a seal: at the first start alone.
    const { rows } = await sql<Row>`select 1 as found from evidence
      where kind in (${sql.join([...rightsEvidenceKinds])}) limit 1`.execute(session.db);
    return rows.length > 0;
  },

  compareRights: async (table, after) => {
    if (table === "evidence_heads") return await compareEnds(session, after?.[0]);
    return await compareRows(session, table, after);
  },

  listRights: (tenantId, table, after) => listRights(session, tenantId, table, after),

  listUnrevoked: (tenantId, ids) => listUnrevoked(session, tenantId, ids),

  acceptRight: (table, key, at, differs = false) => accept(session, writeStep, { table, key, at, differs }),
});

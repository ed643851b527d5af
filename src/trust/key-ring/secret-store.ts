import type { Session } from "#machine/storage/database";
import type { TablesOf } from "#machine/storage/table";
import type { secretTable } from "./key-tables.ts";

export type SecretTables = TablesOf<readonly [typeof secretTable]>;

/**
 * Commands for secrets of the deployment, which belong to no tenant; implemented by
 * {@link makeSecretCommands}.
 */
export type SecretCommands = {
  /** A secret as its owner sealed it; undefined when it does not exist. */
  readonly findSecret: (name: string) => Promise<Uint8Array | undefined>;
  /**
   * Replaces a secret only if it still equals the caller's value (undefined: absent). Otherwise false, and
   * nothing written.
   */
  readonly replaceSecret: (
    name: string,
    seen: Uint8Array | undefined,
    sealed: Uint8Array,
  ) => Promise<boolean>;
};

/** Secrets of the deployment: their owner seals them first, and this module never opens them. */
export const makeSecretCommands = ({ db }: Session<SecretTables>): SecretCommands => ({
  findSecret: async (name) => {
    // Primary key, one row.
    const row = await db.selectFrom("secrets").select("sealed").where("name", "=", name).executeTakeFirst();
    return row && new Uint8Array(row.sealed);
  },

  replaceSecret: async (name, seen, sealed) => {
    if (seen === undefined) {
      // Primary key: of two processes at the same moment one inserts; the other waits and inserts nothing.
      const { numInsertedOrUpdatedRows } = await db
        .insertInto("secrets")
        .values({ name, sealed })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    }
    // Primary key, one row; the condition lets only the first of two changes of the same value through.
    const { numUpdatedRows } = await db
      .updateTable("secrets")
      .set({ sealed })
      .where("name", "=", name)
      .where("sealed", "=", seen)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
});

import type { Session } from "./database.ts";
import type { Store } from "./store.ts";

type SecretCommands = Pick<Store, "findSecret" | "replaceSecret">;

/** Secrets of the deployment: sealed before they come here, opened by nothing here. */
export const makeSecretCommands = ({ db }: Session): SecretCommands => ({
  findSecret: async (name) => {
    // Primary key, one row.
    const row = await db.selectFrom("secrets").select("sealed").where("name", "=", name).executeTakeFirst();
    return row && new Uint8Array(row.sealed);
  },

  replaceSecret: async (name, seen, sealed) => {
    if (seen === undefined) {
      // Primary key: of two processes at the same moment one inserts, the other waits and inserts nothing.
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

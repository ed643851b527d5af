import type { Session, Tables } from "./database.ts";
import { writeStep } from "./step-store.ts";
import type { KeyRow, Store } from "./store.ts";

type KeyCommands = Pick<Store, "insertKey" | "findKeys" | "listKeys" | "rewrapKey" | "destroyKey">;

/** Wrapped data keys; the keyring alone can unwrap them. */
export const makeKeyCommands = (session: Session): KeyCommands => ({
  insertKey: async (key) => {
    const { createdAt, destroyedAt, ...columns } = key;
    // Unique index keys_active: of two processes at the same moment one inserts, the other waits and inserts nothing.
    const { numInsertedOrUpdatedRows } = await session.db
      .insertInto("keys")
      .values({ ...columns, createdAt: createdAt.getTime(), destroyedAt: destroyedAt?.getTime() ?? null })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  },

  findKeys: async (tenantId) => {
    // Primary key (tenant_id, id), one tenant's range: a handful of rows.
    const rows = await session.db
      .selectFrom("keys")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .orderBy("createdAt")
      .orderBy("id")
      .execute();
    return rows.map(keyOf);
  },

  listKeys: async () => {
    // Whole table, for rotation: some four rows a tenant.
    const rows = await session.db.selectFrom("keys").selectAll().orderBy("tenantId").orderBy("id").execute();
    return rows.map(keyOf);
  },

  rewrapKey: async (id, masterId, wrapped) => {
    // Unique index keys_id; the condition keeps a key dead that was destroyed while it was being rewrapped.
    await session.db
      .updateTable("keys")
      .set({ masterId, wrapped })
      .where("id", "=", id)
      .where("destroyedAt", "is", null)
      .execute();
  },

  destroyKey: async (id, at, step) => {
    // Unique index keys_id, one row; `returning` tells whose chain takes the evidence.
    const destroyed = await session.db
      .updateTable("keys")
      .set({ wrapped: null, destroyedAt: at.getTime() })
      .where("id", "=", id)
      .where("destroyedAt", "is", null)
      .returning("tenantId")
      .executeTakeFirst();
    if (destroyed === undefined) {
      return false;
    }
    await writeStep(session, destroyed.tenantId, step);
    return true;
  },
});

const keyOf = (row: Tables["keys"]): KeyRow => ({
  id: row.id,
  tenantId: row.tenantId,
  purpose: row.purpose,
  masterId: row.masterId,
  wrapped: row.wrapped && new Uint8Array(row.wrapped),
  createdAt: new Date(row.createdAt),
  ...(row.destroyedAt === null ? {} : { destroyedAt: new Date(row.destroyedAt) }),
});

import type { Session } from "#machine/storage/database";
import type { TablesOf } from "#machine/storage/table";
import type { Step } from "#record/transactions/record";
import type { keyTable } from "./key-tables.ts";

/**
 * A wrapped data key. `wrapped` holds the key sealed by the master key `masterId`; destroyed keys keep their
 * row.
 */
export type KeyRow = {
  readonly id: string;
  readonly tenantId: string;
  readonly purpose: string;
  readonly masterId: string;
  readonly wrapped: Uint8Array | null;
  readonly createdAt: Date;
  readonly destroyedAt?: Date;
};

export type KeyTables = TablesOf<readonly [typeof keyTable]>;

/** Commands for data keys; implemented by {@link makeKeyCommands}. */
export type KeyCommands = {
  /** False, and nothing written, when the tenant already has an active key for this purpose. */
  readonly insertKey: (key: KeyRow) => Promise<boolean>;
  /** Every key of the tenant, destroyed ones too, oldest first. */
  readonly findKeys: (tenantId: string) => Promise<readonly KeyRow[]>;
  readonly listKeys: () => Promise<readonly KeyRow[]>;
  /** Leaves destroyed keys unchanged. */
  readonly rewrapKey: (id: string, masterId: string, wrapped: Uint8Array) => Promise<void>;
  /**
   * Removes the wrapped key for ever. False, and nothing written, when the key does not exist or is
   * destroyed.
   */
  readonly destroyKey: (id: string, at: Date, step: Step) => Promise<boolean>;
};

/** Commands after which the disk must no longer hold a key. */
export const erasingKeyCommands = ["destroyKey"] as const satisfies readonly (keyof KeyCommands)[];

/**
 * Writes events and evidence in the transaction of the command; implemented by `writeStep` of transactions.
 */
type WriteStep = (tenantId: string, step: Step) => Promise<void>;

/** Wrapped data keys; only the keyring can unwrap them. */
export const makeKeyCommands = (session: Session<KeyTables>, writeStep: WriteStep): KeyCommands => ({
  insertKey: async (key) => {
    const { createdAt, destroyedAt, ...columns } = key;
    // Unique index keys_active: of two processes at the same moment one inserts; the other waits and inserts
    // nothing.
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
    // Full table scan, for rotation: some four rows per tenant.
    const rows = await session.db.selectFrom("keys").selectAll().orderBy("tenantId").orderBy("id").execute();
    return rows.map(keyOf);
  },

  rewrapKey: async (id, masterId, wrapped) => {
    // Unique index keys_id; the condition leaves a key destroyed if the destruction came during the rewrap.
    await session.db
      .updateTable("keys")
      .set({ masterId, wrapped })
      .where("id", "=", id)
      .where("destroyedAt", "is", null)
      .execute();
  },

  destroyKey: async (id, at, step) => {
    // Unique index keys_id, one row; `returning` names the tenant whose chain takes the evidence.
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
    await writeStep(destroyed.tenantId, step);
    return true;
  },
});

const keyOf = (row: KeyTables["keys"]): KeyRow => ({
  id: row.id,
  tenantId: row.tenantId,
  purpose: row.purpose,
  masterId: row.masterId,
  wrapped: row.wrapped && new Uint8Array(row.wrapped),
  createdAt: new Date(row.createdAt),
  ...(row.destroyedAt === null ? {} : { destroyedAt: new Date(row.destroyedAt) }),
});

import { Failure } from "#contract/failure";
import type { Keyring } from "#machine/storage/blobs";
import type { CheckedRow, CheckedTable, DatabaseCheck } from "#machine/storage/database-check";
import type { KeyCommands } from "#trust/key-ring/key-store";
import { judgeWrapping, type Masters } from "#trust/key-ring/keyring";
import type { Sealer } from "#trust/tokens/key-store";
import type { Repairs } from "./repairs.ts";
import { bytesOf, type SealedColumn, sealedColumns, textOf } from "./sealed-columns.ts";
import { type CheckSink, reasonOf, type StoreCheck } from "./store-check.ts";

export type RowDeps = {
  readonly database: DatabaseCheck;
  readonly store: Pick<KeyCommands, "listKeys">;
  readonly repairs: Repairs;
  /** Absent without a master key. */
  readonly keys?: {
    readonly masters: Masters;
    readonly keyring: Pick<Keyring, "open">;
    /** Opens the secret of the deployment that has this name. */
    readonly sealerOf: (name: string) => Pick<Sealer, "open">;
  };
};

/**
 * Opens the data keys, the secrets of the deployment and every sealed column. A value that does not open was
 * changed.
 */
export const checkRows = (deps: RowDeps): StoreCheck => ({
  part: "sealed rows",
  run: async (sink) => {
    const { keys } = deps;
    if (keys === undefined) {
      sink.remark("IDEM_MASTER_KEY is not set: sealed rows were not opened, and nothing is said of them.");
      return;
    }
    const closed = await checkKeys({ ...deps, keys }, sink);
    const tables = await deps.database.tables();
    await checkSecrets({ ...deps, keys }, tables, sink);
    for (const [at, table] of tables.entries()) {
      sink.progress(at, tables.length);
      const columns = sealedColumns.filter((column) => column.table === table.name);
      if (columns.length > 0) await checkTable({ ...deps, keys }, { table, columns, closed }, sink);
    }
    sink.progress(tables.length, tables.length);
  },
});

type Keyed = RowDeps & { readonly keys: NonNullable<RowDeps["keys"]> };

/**
 * Names the data keys that do not open, and returns their tenants. What such a key seals is not judged row by
 * row.
 */
const checkKeys = async ({ store, repairs, keys }: Keyed, sink: CheckSink): Promise<ReadonlySet<string>> => {
  const closed = new Set<string>();
  for (const key of await store.listKeys()) {
    sink.checked();
    const found = judgeWrapping(keys.masters, key);
    if (found === "whole") continue;
    closed.add(key.id.replaceAll("-", ""));
    sink.fault({
      tenant: key.tenantId,
      place: `keys ${key.id}`,
      fault:
        found === "missing"
          ? `is wrapped by master key ${key.masterId}, which the settings do not have`
          : "is a data key that does not open: nothing that it sealed can be read",
      repair:
        found === "missing"
          ? "Set that master key as IDEM_MASTER_KEY or IDEM_MASTER_KEY_PREVIOUS, and verify again."
          : repairs.database,
    });
  }
  return closed;
};

const checkSecrets = async (
  { database, keys, repairs }: Keyed,
  tables: readonly CheckedTable[],
  sink: CheckSink,
): Promise<void> => {
  const table = tables.find(({ name }) => name === "secrets");
  if (table === undefined) return;
  for await (const row of database.rows(table, ["sealed"])) {
    sink.checked();
    try {
      await keys.sealerOf(textOf(row, "name")).open(bytesOf(row, "sealed") ?? new Uint8Array());
    } catch (error) {
      if (error instanceof Failure && error.code !== "stored_damaged") throw error;
      sink.fault({
        place: `secrets ${textOf(row, "name")}`,
        fault: "does not open",
        repair: repairs.database,
      });
    }
  }
};

type TableOf = {
  readonly table: CheckedTable;
  readonly columns: readonly SealedColumn[];
  readonly closed: ReadonlySet<string>;
};

const checkTable = async (deps: Keyed, { table, columns, closed }: TableOf, sink: CheckSink) => {
  const wanted = columns.flatMap(({ column, needs }) => [column, ...needs]);
  for await (const row of deps.database.rows(table, wanted)) {
    for (const column of columns) {
      const sealed = bytesOf(row, column.column);
      if (sealed === undefined || (sealed.length === 0 && column.mayBeEmpty)) continue;
      sink.checked();
      if (closed.has(keyIdIn(sealed))) continue;
      const fault = await judgeColumn(deps, column, row, sealed);
      if (fault === undefined) continue;
      sink.fault({
        tenant: textOf(row, "tenant_id"),
        place: `${table.name}.${column.column} ${placeOf(table, row)}`,
        fault,
        repair: deps.repairs.database,
      });
    }
  }
};

/** Id of the data key that sealed the bytes. It is the 16 bytes after the version. */
const keyIdIn = (sealed: Uint8Array): string => Buffer.from(sealed.subarray(1, 17)).toString("hex");

/** The primary key without the tenant. */
const placeOf = ({ key }: CheckedTable, row: CheckedRow): string =>
  key
    .filter((column) => column !== "tenant_id")
    .map((column) => textOf(row, column))
    .join(" ");

const judgeColumn = async (
  { keys }: Keyed,
  column: SealedColumn,
  row: CheckedRow,
  sealed: Uint8Array,
): Promise<string | undefined> => {
  try {
    await column.open(keys.keyring, row, sealed);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) return `does not open: ${reasonOf(error)}`;
    const { code } = error;
    if (code === "stored_damaged") {
      return "does not open: its bytes, or a column that its seal names, were changed";
    }
    if (code === "stored_newer") return "has the mark of a later release, or its first byte was changed";
    // Its key was destroyed: an erasure left the row, and nothing can tell whether it was changed.
    if (code === "not_found") return undefined;
    throw error;
  }
};

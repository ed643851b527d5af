/**
 * The one door to rows that give a right. Every command that writes such a row ends with {@link sealRow},
 * every change begins with a look at the seal ({@link changeRow}), and every read that decides passes
 * {@link requireRow} or {@link isWhole}.
 */
import { timingSafeEqual } from "node:crypto";
import { type QueryExecutorProvider, type RawBuilder, sql } from "kysely";
import { Failure } from "#contract/failure";
import { type RightTableName, rightTables } from "./declared-tables.ts";
import { rightsSecret } from "./rights-secret.ts";
import { RowFault } from "./row-fault.ts";
import { coveredBy, hasSeal, memberOf, type Row, sealOf } from "./row-seal.ts";

/**
 * The seals of one store: nothing is compared or sealed before the key is held. Made by {@link makeRights}.
 */
export type Rights = {
  readonly hold: (key: Uint8Array) => void;
  readonly isHeld: () => boolean;
  /** The seal of a row. Throws before the key is held. */
  readonly sealOf: (table: RightTableName, row: Row) => Uint8Array;
  /** What is wrong with a row; undefined for a whole one, and before the key is held. */
  readonly faultOf: (table: RightTableName, row: Row) => RowFaultKind | undefined;
};

/** What is wrong with a row. */
export type RowFaultKind = "unsealed" | "changed";

export const makeRights = (): Rights => {
  let held: Uint8Array | undefined;
  return {
    hold: (key) => {
      held = key;
    },
    isHeld: () => held !== undefined,
    sealOf: (table, row) => {
      if (held === undefined) throw new Error("The key of the seals is not held");
      return sealOf(held, table, row);
    },
    faultOf: (table, row) => {
      if (held === undefined) return undefined;
      const { seal } = row;
      if (seal === null) return "unsealed";
      return seal instanceof Uint8Array && hasSeal(held, table, row, seal) ? undefined : "changed";
    },
  };
};

/** What the door needs of a session. */
export type RightSession = {
  readonly db: QueryExecutorProvider;
  readonly locksRows: boolean;
  readonly rights?: Rights;
};

/** What is wrong with a row; undefined for a whole one, and where the key is not held. */
export const faultOf = (
  { rights }: Pick<RightSession, "rights">,
  table: RightTableName,
  row: Row,
): RowFaultKind | undefined => rights?.faultOf(table, row);

/** Whether the service wrote the row as it stands; true where the key is not known. */
export const isWhole = (session: Pick<RightSession, "rights">, table: RightTableName, row: Row): boolean =>
  faultOf(session, table, row) === undefined;

/** Throws the failure of a row that was not written by the service as it stands. */
export const requireRow = (session: Pick<RightSession, "rights">, table: RightTableName, row: Row): void => {
  const fault = faultOf(session, table, row);
  if (fault !== undefined) throw new Failure("stored_damaged", {}, { cause: rowFault(table, row, fault) });
};

const words: Readonly<Record<RowFaultKind | "rewritten", string>> = {
  unsealed: "was added past the service: it has no seal",
  changed: "was changed past the service: its seal differs",
  rewritten: "holds other values than the service wrote: a trigger or a rule of the database changes it",
};

const rowFault = (table: RightTableName, row: Row, fault: keyof typeof words): RowFault =>
  new RowFault(`The row ${placeOf(table, row)} ${words[fault]}. See idem rights verify`);

/** Table and primary key of a row, for messages. A hash is shortened: it may find what it was made from. */
export const placeOf = (table: RightTableName, row: Row): string =>
  [table, ...rightTables[table].key.map((column) => nameOf(column, row[memberOf(column)]))].join(" ");

const nameOf = (column: string, value: unknown): string =>
  column === "hash" ? `${String(value).slice(0, 8)}…` : String(value);

/** The primary key of a row: its values in the order of the declaration. */
export type RowKey = readonly string[];

/** Reads a row and locks it until commit. Undefined where there is none. */
export const readRow = async (
  { db, locksRows }: RightSession,
  table: RightTableName,
  key: RowKey,
): Promise<Row | undefined> => {
  // Foreign keys of other inserts do not wait for it.
  const lock = sql.raw(locksRows ? " for no key update" : "");
  // Primary key, one row.
  const { rows } =
    await sql<Row>`select * from ${sql.table(table)} where ${isRow(table, key)}${lock}`.execute(db);
  return rows[0];
};

/** The row with this primary key. */
export const isRow = (table: RightTableName, key: RowKey): RawBuilder<unknown> =>
  sql.join(
    rightTables[table].key.map((column, at) => sql`${sql.ref(column)} = ${key[at] ?? ""}`),
    sql` and `,
  );

/**
 * Seals a row that the caller wrote in this transaction, after a look at its former seal where there was one.
 * `written` has the value of each covered column; one that is not named was left empty. Fails with
 * stored_damaged where the store holds another value: a trigger or a rule of the database changed it. Without
 * a key it writes nothing in a store that has none, and fails in a store that has one.
 */
export const sealRow = async (
  session: RightSession,
  table: RightTableName,
  key: RowKey,
  written: Row,
): Promise<void> => {
  const { rights } = session;
  if (rights?.isHeld() !== true) return await requireNoSeals(session);
  const row = await readRow(session, table, key);
  if (row === undefined) throw new Error(`The row of ${table} to be sealed is not there`);
  const seal = rights.sealOf(table, rowOf(table, written));
  if (!timingSafeEqual(seal, rights.sealOf(table, row))) {
    throw new Failure("stored_damaged", {}, { cause: rowFault(table, row, "rewritten") });
  }
  await writeSeal(session, table, key, seal);
};

/** The covered columns of a row as they were written. */
const rowOf = (table: RightTableName, written: Row): Row =>
  Object.fromEntries(coveredBy(table).map((column) => [memberOf(column), written[memberOf(column)] ?? null]));

/**
 * New rows of one table with their seals, over the values that the caller inserts. For rows that come in
 * numbers: no row is read back, and what the database holds otherwise has another seal. Without a key as
 * {@link sealRow}.
 */
export const sealNewRows = async <New extends Row>(
  session: RightSession,
  table: RightTableName,
  rows: readonly New[],
): Promise<readonly (New & { readonly seal: Uint8Array | null })[]> => {
  const { rights } = session;
  if (rights?.isHeld() === true) return rows.map((row) => ({ ...row, seal: rights.sealOf(table, row) }));
  await requireNoSeals(session);
  return rows.map((row) => ({ ...row, seal: null }));
};

/** Writes the seal of a row. */
export const writeSeal = async (
  { db }: RightSession,
  table: RightTableName,
  key: RowKey,
  seal: Uint8Array,
): Promise<void> => {
  // Primary key, one row.
  await sql`update ${sql.table(table)} set seal = ${seal} where ${isRow(table, key)}`.execute(db);
};

/** Fails in a store whose rows have seals. */
export const requireNoSeals = async ({ db }: RightSession): Promise<void> => {
  // Primary key, one row.
  const { rows } = await sql<Row>`select name from secrets where name = ${rightsSecret}`.execute(db);
  if (rows.length === 0) return;
  const cause = new Error("Rows that give a right are sealed under the master key: set IDEM_MASTER_KEY");
  throw new Failure("store_unavailable", {}, { cause });
};

/**
 * Writes to one row. `row` is the row as it stands, locked until commit. Resolves with the covered columns
 * that it wrote, and their values; with undefined where it wrote nothing.
 */
export type RowChange = (row: Row) => Promise<Row | undefined>;

/**
 * Changes one row: fails where it was changed past the service, runs the change, and seals the row anew.
 * Resolves with false where there is no row, or the change wrote nothing.
 */
export const changeRow = async (
  session: RightSession,
  table: RightTableName,
  key: RowKey,
  change: RowChange,
): Promise<boolean> => {
  const row = await readRow(session, table, key);
  if (row === undefined) return false;
  requireRow(session, table, row);
  return await writeRow(session, table, key, row, change);
};

const writeRow = async (
  session: RightSession,
  table: RightTableName,
  key: RowKey,
  row: Row,
  change: RowChange,
): Promise<boolean> => {
  const written = await change(row);
  if (written === undefined) return false;
  await sealRow(session, table, key, { ...row, ...written });
  return true;
};

/** Whether there is no such row, or the service wrote it as it stands. Locks it until commit. */
export const isWholeRow = async (
  session: RightSession,
  table: RightTableName,
  key: RowKey,
): Promise<boolean> => {
  const row = await readRow(session, table, key);
  return row === undefined || isWhole(session, table, row);
};

/**
 * Takes a right away: as {@link changeRow}, and also from a row that was changed past the service. For
 * changes after which the row gives no right, whatever else it holds.
 */
export const endRow = async (
  session: RightSession,
  table: RightTableName,
  key: RowKey,
  change: RowChange,
): Promise<boolean> => {
  const row = await readRow(session, table, key);
  return row !== undefined && (await writeRow(session, table, key, row, change));
};

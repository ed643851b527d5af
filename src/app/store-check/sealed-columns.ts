/** The sealed columns of all tables, and how each is opened, from the declarations of the tables. */
import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Keyring, Purpose } from "#machine/storage/blobs";
import { type CheckedRow, camelOf } from "#machine/storage/database-check";
import { openBox } from "#machine/storage/sealed-box";
import { type EnvironmentBinding, type Seal, snakeOf, type Table } from "#machine/storage/table";
import { tables } from "../tables.ts";

/**
 * Opens a sealed column of a row, for its seal alone. Rejects as `Keyring.open`, or with an Error of the
 * sealed box.
 */
type OpenColumn = (
  keyring: Pick<Keyring, "open">,
  row: CheckedRow,
  sealed: Uint8Array,
) => Promise<Uint8Array>;

export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** Columns that the seal is bound to, beside the primary key. */
  readonly needs: readonly string[];
  readonly boundBy: EnvironmentBinding;
  /** A row without content has no bytes there. */
  readonly mayBeEmpty: boolean;
  readonly open: OpenColumn;
};

/** The text of a column; a number as text. */
export const textOf = (row: CheckedRow, column: string): string => {
  const value = row[camelOf(column)];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
};

const tenantOf = (row: CheckedRow): string => textOf(row, "tenant_id");

type Environment = Caller["environment"];

const openIn: Readonly<
  Record<
    EnvironmentBinding,
    (keyring: Pick<Keyring, "open">, row: CheckedRow, of: Sealed) => Promise<Uint8Array>
  >
> = {
  row: (keyring, row, { purpose, owner, sealed }) =>
    keyring.open(tenantOf(row), purpose, sealed, { owner, environment: environmentOf(row) }),
  owner: async (keyring, row, { purpose, owner, sealed }) => {
    const open = (environment: Environment) =>
      keyring.open(tenantOf(row), purpose, sealed, { owner, environment });
    return await open("live").catch((error: unknown) => {
      if (error instanceof Failure && error.code === "stored_damaged") return open("test");
      throw error;
    });
  },
  words: (keyring, row, { purpose, owner, sealed }) => keyring.open(tenantOf(row), purpose, sealed, owner),
};

type Sealed = { readonly purpose: Purpose; readonly owner: string; readonly sealed: Uint8Array };

/** Fails with stored_damaged for a text that is no environment. */
const environmentOf = (row: CheckedRow): Environment => {
  const found = textOf(row, "environment");
  if (found === "live" || found === "test") return found;
  throw new Failure("stored_damaged");
};

/** A column that the key ring seals. */
const under = (
  place: Pick<SealedColumn, "table" | "column">,
  { purpose, context, boundBy, mayBeEmpty }: Exclude<Seal, { keyIn: string }>,
): SealedColumn => {
  const needs = [...context.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => snakeOf(name));
  return {
    ...place,
    needs: boundBy === "row" ? [...needs, "environment"] : needs,
    boundBy,
    mayBeEmpty,
    open: async (keyring, row, sealed) => {
      const owner = context.replace(/\{(\w+)\}/g, (_, name: string) => textOf(row, name));
      return await openIn[boundBy](keyring, row, { purpose, owner, sealed });
    },
  };
};

/**
 * A column sealed under a key of its own, which another column holds sealed: the seal of that key binds all
 * of it to the environment.
 */
const underOwnKey = (
  place: Pick<SealedColumn, "table" | "column">,
  { words, owner }: Extract<Seal, { keyIn: string }>,
  key: SealedColumn,
): SealedColumn => ({
  ...place,
  needs: [...key.needs, "key_id", key.column],
  boundBy: key.boundBy,
  mayBeEmpty: false,
  open: async (keyring, row, sealed) => {
    const bytes = await key.open(keyring, row, bytesOf(row, key.column) ?? new Uint8Array());
    const boxKey = { id: textOf(row, "key_id").replaceAll("-", ""), bytes };
    return openBox(boxKey, [words, tenantOf(row), textOf(row, owner)], sealed);
  },
});

/** The bytes of a column; undefined where it is null. */
export const bytesOf = (row: CheckedRow, column: string): Uint8Array | undefined => {
  const value = row[camelOf(column)];
  return value instanceof Uint8Array ? value : undefined;
};

const columnsOf = ({ name, columns }: Table): readonly SealedColumn[] => {
  const table = snakeOf(name);
  const open = (column: string, seal: Seal): SealedColumn => {
    const place = { table, column: snakeOf(column) };
    if (!("keyIn" in seal)) return under(place, seal);
    const key = columns[seal.keyIn]?.seal;
    if (key === undefined) throw new Error(`${table} has no sealed column ${seal.keyIn}`);
    return underOwnKey(place, seal, open(seal.keyIn, key));
  };
  return Object.entries(columns).flatMap(([column, { seal }]) => (seal ? [open(column, seal)] : []));
};

export const sealedColumns: readonly SealedColumn[] = tables.flatMap(columnsOf);

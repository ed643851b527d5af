/**
 * A table as a value: its columns, what is sealed, how its rows are erased and how long they are kept.
 * `src/app/tables.ts` lists all tables.
 */
import type { Caller } from "#contract/endpoint";
import type { Purpose } from "./blobs.ts";

/** A column. The words of a database for its type stand in `sql-dialect.ts`. */
export type Column<Value = unknown> = {
  readonly type: "text" | "int" | "bytes";
  readonly isNullable: boolean;
  readonly seal?: Seal;
  /** Of bytes that no data key sealed: which check reads them. */
  readonly readBy?: string;
  /** No value has it: the type of what the column holds. */
  readonly holds?: Value;
};

/**
 * What binds a seal to an environment. row: the column `environment`. owner: that of the row's owner, which
 * the row does not name, so the seal opens in one of both; the check of the owner names a change. words: the
 * words of the context.
 */
export type EnvironmentBinding = "row" | "owner" | "words";

/**
 * How a column is sealed: under a data key of the tenant, or under the key that another column of the row
 * holds sealed.
 */
export type Seal =
  | {
      readonly purpose: Purpose;
      /** Names columns in braces. */
      readonly context: string;
      readonly boundBy: EnvironmentBinding;
      /** A row without content has no bytes there. */
      readonly mayBeEmpty: boolean;
    }
  | { readonly keyIn: string; readonly words: string; readonly owner: string };

export const text = <Value extends string = string>(): Column<Value> => ({ type: "text", isNullable: false });

export const int = <Value extends number = number>(): Column<Value> => ({ type: "int", isNullable: false });

export const environment = (): Column<Caller["environment"]> => text();

/** Bytes that no data key sealed. */
export const bytes = (readBy: string): Column<Uint8Array> => ({ type: "bytes", isNullable: false, readBy });

/** Bytes that the key ring sealed. */
export const sealed = (
  purpose: Purpose,
  context: string,
  {
    boundBy = "row",
    mayBeEmpty = false,
  }: { readonly boundBy?: EnvironmentBinding; readonly mayBeEmpty?: boolean } = {},
): Column<Uint8Array> => ({
  type: "bytes",
  isNullable: false,
  seal: { purpose, context, boundBy, mayBeEmpty },
});

/** Bytes sealed under a key of their own, which the column `keyIn` holds. */
export const sealedUnder = (keyIn: string, words: string, owner: string): Column<Uint8Array> => ({
  type: "bytes",
  isNullable: false,
  seal: { keyIn, words, owner },
});

export const orNull = <Value>(column: Column<Value>): Column<Value | null> => ({
  ...column,
  isNullable: true,
});

/** What an erasure does with the rows of a tenant. A command is named by its name in the store. */
export type Erasing =
  /** This command removes the rows from before a time, some of them at each call, and returns how many. */
  | { readonly by: string }
  /** This command removes the rows of all tenants whose data key is destroyed, some of them at each call. */
  | { readonly underDestroyedKeys: string }
  /** They go with the rows of this table. */
  | { readonly goesWith: string }
  /** They go in a way of their own, in words. */
  | { readonly goesBy: string }
  /** They stay, for this reason. */
  | { readonly kept: string };

/** How long a row is kept. */
export type Keeping =
  /** The tidying removes older rows by this command, tenant by tenant. */
  | { readonly for: string; readonly by: string }
  /** The same, of all tenants at once. `now`: the row holds its own end. */
  | { readonly for: string; readonly ofAllBy: string }
  /** Its end, in words. */
  | { readonly until: string };

/**
 * Whether the rows give a right. seal: each row has a seal (`rights/declared-tables.ts`). sealed: what counts
 * in a row is encrypted under a key of the tenant and bound to its place and environment, so it cannot be
 * made without the master key. record: a row gives no right. open: a change of a row can matter, and no seal
 * covers it.
 */
export type RightsWords =
  | "seal"
  | { readonly sealed: string }
  | { readonly record: string }
  | { readonly open: string };

/** The words of a table whose rows say all that counts in their sealed content. */
export const underTenant =
  "its content is encrypted under a key of the tenant and bound to the place and the environment of the row";

/** An index: its columns in their order, and the condition of a partial one. */
export type Index = {
  readonly on: readonly string[];
  readonly isUnique?: true;
  readonly where?: string;
};

/** What a new table needs beside its columns. The migrations of `migrations.ts` wrote the others. */
export type NewTable = {
  /** The migration that makes it. */
  readonly version: number;
  readonly indexes: Readonly<Record<string, Index>>;
  /** Conditions on a row, in SQL. */
  readonly checks?: readonly string[];
  /** References in SQL, beside that of the tenant: `foreign key (…) references … (…)`. */
  readonly references?: readonly string[];
};

export type Columns = Readonly<Record<string, Column>>;

export type Table<Name extends string = string, Own extends Columns = Columns> = {
  /** As Kysely has it. The database writes it with underscores. */
  readonly name: Name;
  readonly columns: Own;
  readonly key: readonly string[];
  readonly erase: Erasing;
  readonly keep: Keeping;
  readonly rights: RightsWords;
  readonly isNew?: NewTable;
};

/** A table and its key, whose columns it has. */
export const defineTable = <
  const Name extends string,
  Own extends Columns,
  const Rest extends Omit<Table, "name" | "columns" | "key"> & {
    readonly key: readonly (keyof Own & string)[];
  },
>(
  name: Name,
  columns: Own,
  rest: Rest,
) => ({ name, columns, ...rest });

/** A row as the database has it. */
export type RowOf<Of extends { readonly columns: Columns }> = {
  -readonly [Name in keyof Of["columns"]]: Of["columns"][Name] extends Column<infer Value> ? Value : never;
};

/** The tables of a session, by name. */
export type TablesOf<All extends readonly { readonly name: string; readonly columns: Columns }[]> = {
  [Of in All[number] as Of["name"]]: RowOf<Of>;
};

/** `tenantId` as `tenant_id`, as the database has it. */
export const snakeOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

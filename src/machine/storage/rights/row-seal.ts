import { createHmac, timingSafeEqual } from "node:crypto";
import { type RightTableName, rightTables, tableNames } from "./declared-tables.ts";

/** A row as a query returns it: names in camel case. */
export type Row = Readonly<Record<string, unknown>>;

/** The name of a column in a row. */
export const memberOf = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** All columns that the seal of a table covers, in the order of the seal. */
export const coveredBy = (table: RightTableName): readonly string[] => [
  ...rightTables[table].key,
  ...rightTables[table].covers,
];

/**
 * The seal of a row: HMAC-SHA-256 (RFC 2104) over the table, and over name and value of each covered column.
 * Each part has its kind and its length before it, so that no two rows have the same bytes.
 */
export const sealOf = (key: Uint8Array, table: RightTableName, row: Row): Uint8Array => {
  const { name, columns } = partsOf.get(table) ?? partsFor(table);
  const parts: Uint8Array[] = [name];
  for (const { column, member, part } of columns) parts.push(part, ...valueOf(row[member], column));
  return new Uint8Array(createHmac("sha256", key).update(Buffer.concat(parts)).digest());
};

/** Whether a stored seal is that of the row. */
export const hasSeal = (key: Uint8Array, table: RightTableName, row: Row, seal: Uint8Array): boolean =>
  seal.length === 32 && timingSafeEqual(sealOf(key, table, row), seal);

type Part = readonly [head: Uint8Array, bytes: Uint8Array];

const partOf = (kind: string, bytes: Uint8Array): Part => {
  const head = Buffer.allocUnsafe(9);
  head.write(kind, 0, "latin1");
  head.writeUInt32BE(0, 1);
  head.writeUInt32BE(bytes.length, 5);
  return [head, bytes];
};

const valueOf = (value: unknown, column: string): Part => {
  if (value === null) return partOf("n", Buffer.alloc(0));
  if (typeof value === "string") return partOf("s", Buffer.from(value, "utf8"));
  if (typeof value === "number" || typeof value === "bigint")
    return partOf("i", Buffer.from(String(value), "latin1"));
  if (value instanceof Uint8Array) return partOf("b", value);
  // A column that was not read must not seal as one that is empty.
  throw new Error(`The column ${column} has no value that can be sealed`);
};

const textPart = (kind: string, text: string): Buffer =>
  Buffer.concat(partOf(kind, Buffer.from(text, "utf8")));

/**
 * What the seals of all rows of a table have in common, made once: a page of deliveries is compared in some
 * milliseconds.
 */
const partsFor = (table: RightTableName) => ({
  name: textPart("t", table),
  columns: coveredBy(table).map((column) => ({
    column,
    member: memberOf(column),
    part: textPart("c", column),
  })),
});

const partsOf: ReadonlyMap<RightTableName, ReturnType<typeof partsFor>> = new Map(
  tableNames.map((table) => [table, partsFor(table)]),
);

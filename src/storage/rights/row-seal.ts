import { createHmac, timingSafeEqual } from "node:crypto";
import { type RightTableName, rightTables } from "./declared-tables.ts";

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
 * The seal of a row: HMAC-SHA-256 (RFC 2104) over the table, and over name and value of each covered column. Each part has its kind
 * and its length before it, so that no two rows have the same bytes.
 */
export const sealOf = (key: Uint8Array, table: RightTableName, row: Row): Uint8Array => {
  const mac = createHmac("sha256", key);
  mac.update(partOf("t", Buffer.from(table, "utf8")));
  for (const column of coveredBy(table)) {
    mac.update(partOf("c", Buffer.from(column, "utf8")));
    mac.update(valueOf(row[memberOf(column)], column));
  }
  return new Uint8Array(mac.digest());
};

/** Whether a stored seal is that of the row. */
export const hasSeal = (key: Uint8Array, table: RightTableName, row: Row, seal: Uint8Array): boolean =>
  seal.length === 32 && timingSafeEqual(sealOf(key, table, row), seal);

const partOf = (kind: string, bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(9);
  head.write(kind, 0, "latin1");
  head.writeBigUInt64BE(BigInt(bytes.length), 1);
  return Buffer.concat([head, bytes]);
};

const valueOf = (value: unknown, column: string): Buffer => {
  if (value === null) return partOf("n", Buffer.alloc(0));
  if (typeof value === "string") return partOf("s", Buffer.from(value, "utf8"));
  if (typeof value === "number" || typeof value === "bigint")
    return partOf("i", Buffer.from(String(value), "latin1"));
  if (value instanceof Uint8Array) return partOf("b", value);
  // A column that was not read must not seal as one that is empty.
  throw new Error(`The column ${column} has no value that can be sealed`);
};

import type { Migration } from "./migrations.ts";
import type { SqlDialect } from "./sql-dialect.ts";
import { type Column, snakeOf, type Table } from "./table.ts";

/** All migrations of a store in the order of their versions: written ones, and those of its new tables. */
export const joinMigrations = (
  written: readonly Migration[],
  tables: readonly Table[],
): readonly Migration[] => [...written, ...migrationsOf(tables)].toSorted((a, b) => a.version - b.version);

/** The migrations that make the new tables of a list. */
export const migrationsOf = (tables: readonly Table[]): readonly Migration[] => {
  const byVersion = Map.groupBy(tables, ({ isNew }) => isNew?.version);
  return [...byVersion].flatMap(([version, made]) =>
    version === undefined
      ? []
      : [
          {
            version,
            name: made.map(({ name }) => wordsOf(name)).join(", "),
            statements: (dialect: SqlDialect) => made.flatMap((table) => createTable(table, dialect)),
          },
        ],
  );
};

/** `signedDocuments` as `signed documents`. */
export const wordsOf = (name: string): string => snakeOf(name).replaceAll("_", " ");

/** The statements that make a new table, its indexes and the second copy of its plain columns. */
const createTable = (table: Table, dialect: SqlDialect): readonly string[] => {
  const { columns, key, isNew: { indexes = {}, checks = [], references = [] } = {} } = table;
  const name = snakeOf(table.name);
  const lines = [
    ...Object.entries(columns).map(([column, of]) => columnLine(column, of, dialect)),
    `primary key (${listOf(key)})`,
    ...references,
    ...checks.map((check) => `check (${check})`),
  ];
  const whole = Object.values(indexes).filter(({ where }) => where === undefined);
  const held = new Set([...key, ...whole.flatMap(({ on }) => on)]);
  const plain = Object.entries(columns)
    .filter(([column, { type }]) => type !== "bytes" && !held.has(column))
    .map(([column]) => snakeOf(column));
  return [
    `create table ${name} (${lines.join(", ")} ${dialect.end}`,
    ...Object.entries(indexes).map(
      ([label, { on, isUnique, where }]) =>
        `create ${isUnique ? "unique " : ""}index ${name}_${label} on ${name} (${listOf(on)})${where === undefined ? "" : ` where ${where}`}`,
    ),
    ...(plain.length === 0 ? [] : dialect.witnesses({ [name]: plain })),
  ];
};

const listOf = (columns: readonly string[]): string => columns.map(snakeOf).join(", ");

const columnLine = (name: string, { type, isNullable }: Column, dialect: SqlDialect): string => {
  const rule = isNullable ? "" : " not null";
  if (name === "tenantId") return `tenant_id ${dialect.text}${rule} references tenants`;
  if (name === "environment")
    return `environment ${dialect.text}${rule} check (environment in ('live', 'test'))`;
  return `${snakeOf(name)} ${dialect[type]}${rule}`;
};

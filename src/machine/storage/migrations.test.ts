import { expect, it } from "vitest";
import { writtenMigrations } from "./migrations.ts";
import { postgresDialect, sqliteDialect } from "./sql-dialect.ts";

/** The tables from which these statements copy rows, each with the statements before its copy. */
const copiesIn = (statements: readonly string[]) =>
  statements.flatMap((statement, at) => {
    const from = /^insert into .*\bfrom (\w+)/su.exec(statement)?.[1];
    return from === undefined ? [] : [{ from, before: statements.slice(0, at) }];
  });

it.each([sqliteDialect, postgresDialect])(
  "a migration renames a table before it copies its rows",
  (dialect) => {
    const copies = writtenMigrations.flatMap(({ statements }) => copiesIn(statements(dialect)));
    expect(copies.map(({ from }) => from)).toEqual([
      "former_evidence",
      "former_evidence",
      "former_callbacks",
    ]);
    for (const { from, before } of copies) {
      // A rename locks the table until the commit: a former process writes nothing after the copy.
      expect(before.filter((statement) => statement.endsWith(` rename to ${from}`))).toHaveLength(1);
    }
  },
);

// The SQL pages beside the store files, for golden.ts: one of each `*-calls.ts` in test/support/.
import { globSync } from "node:fs";
import type { SqlPage } from "#support/storage/sql-page";
import { writeSqlPage } from "./record.ts";

const support = new URL("../../test/support/", import.meta.url);

const pageIn = async (file: string): Promise<SqlPage> => {
  const { page }: { readonly page: SqlPage } = await import(new URL(file, support).href);
  return page;
};

/** The calls of the commands of every store. */
export const storePages = await Promise.all(
  globSync("**/*-calls.ts", { cwd: support }).toSorted().map(pageIn),
);

/** Path from the project's root, and the writer of each page. */
export const sqlPages = storePages.map((page) => ({
  path: `src/${page.file}.sql.md`,
  write: () => writeSqlPage(page),
}));

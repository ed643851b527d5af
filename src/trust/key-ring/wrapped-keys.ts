import { statSync } from "node:fs";

/**
 * Whether the file of the embedded store, which must exist, holds a key that a master key wrapped. A service
 * may have it open. Throws for a file that is no database.
 */
export const hasWrappedKeys = async (path: string): Promise<boolean> => {
  const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  // A start that ended before its first table leaves an empty file.
  if (sizes.every((size) => size === 0)) {
    return false;
  }
  const { openSqliteConnection } = await import("#machine/storage/sqlite-database");
  const { sqlite, db } = openSqliteConnection(path);
  try {
    const hasRow = (table: string, condition: string): boolean =>
      sqlite.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !==
        undefined && sqlite.prepare(`select 1 from ${table} where ${condition} limit 1`).get() !== undefined;
    return hasRow("secrets", "true") || hasRow("keys", "wrapped is not null");
  } finally {
    await db.destroy();
  }
};

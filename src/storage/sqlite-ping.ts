import { sql } from "kysely";
import type { Session } from "./database.ts";

/**
 * Asks by doing it whether a write would be durable: the file's user version, which nothing else uses, moves between 0
 * and 1, one page and one flush. A read alone passes on a disk that is full or has become read-only.
 */
export const pingSqlite = async ({ db }: Session): Promise<void> => {
  const { rows } = await sql<{ readonly userVersion: number }>`pragma user_version`.execute(db);
  await (rows[0]?.userVersion === 0 ? sql`pragma user_version = 1` : sql`pragma user_version = 0`).execute(
    db,
  );
};

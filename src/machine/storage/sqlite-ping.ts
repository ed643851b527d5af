import { sql } from "kysely";
import type { Session } from "./database.ts";

/**
 * Checks with a real write that a write would be durable: the file's user version, which has no other use,
 * alternates between 0 and 1, one page and one flush. A read alone succeeds on a disk that is full or has
 * become read-only.
 */
export const pingSqlite = async <Tables>({ db }: Pick<Session<Tables>, "db">): Promise<void> => {
  const { rows } = await sql<{ readonly userVersion: number }>`pragma user_version`.execute(db);
  await (rows[0]?.userVersion === 0 ? sql`pragma user_version = 1` : sql`pragma user_version = 0`).execute(
    db,
  );
};

import type { Kysely } from "kysely";
import type { Rights } from "./rights/door.ts";

/**
 * A connection inside a transaction, and its one property that a query must consider. Columns hold the same
 * in both databases: times are integer milliseconds since 1970 and JSON is text. So a row reads the same from
 * either store, and a NUL inside a JSON string, which jsonb refuses, is kept. Each store file declares its
 * own tables; a session over more tables is assignable to a session over fewer.
 */
export type Session<Tables> = {
  readonly db: Kysely<Tables>;
  /**
   * PostgreSQL: other transactions write at the same time, so rows are locked. SQLite: this is the only
   * writer.
   */
  readonly locksRows: boolean;
  /** The key of the seals of rows that give a right, once it is known. Absent where none is compared. */
  readonly rights?: Rights;
};

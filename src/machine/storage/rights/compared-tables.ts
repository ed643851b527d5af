import type { RightTableName } from "./declared-tables.ts";

/** Tables whose rows are compared with the entries of the evidence that made them. */
export const comparedTables = [
  "api_keys",
  "destinations",
  "clearing_credentials",
  "blocked_faces",
  "listed_documents",
] as const satisfies readonly RightTableName[];

/** A table whose rows are compared with entries. */
export type ComparedTable = (typeof comparedTables)[number];

import { type RawBuilder, sql } from "kysely";

/** The place of a row in a list with the newest first: the last one of the page before. */
export type ListPlace = { readonly createdAt: Date; readonly id: string };

/** Holds for the rows that such a list shows after the place; each table has `createdAt` and `id`. */
export const comesAfter = ({ createdAt, id }: ListPlace): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref("createdAt")}, ${sql.ref("id")}) < (${createdAt.getTime()}, ${id})`;

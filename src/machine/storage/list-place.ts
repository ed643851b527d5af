import { type RawBuilder, sql } from "kysely";

/** The place of a row in a list with the newest first: the last one of the page before. */
export type ListPlace = { readonly createdAt: Date; readonly id: string };

/** A condition that is true for the rows of a list after the place. Each table has `createdAt` and `id`. */
export const comesAfter = ({ createdAt, id }: ListPlace): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref("createdAt")}, ${sql.ref("id")}) < (${createdAt.getTime()}, ${id})`;

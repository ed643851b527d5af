import { sql } from "kysely";
import { Failure } from "#contract/failure";
import { type RightSession, requireNoSeals, requireRow } from "./door.ts";
import { RowFault } from "./row-fault.ts";
import type { Row } from "./row-seal.ts";

/** The last entry of a chain; `seq` 0 for a chain without entries. */
export type ChainEnd = { readonly seq: number; readonly hash: string };

/** What is wrong at the end of a chain; undefined where it ends as the service left it. */
export const judgeEnd = (stored: Row | undefined, end: ChainEnd): string | undefined => {
  if (stored === undefined) {
    return end.seq === 0 ? undefined : `its ${end.seq} entries have no sealed end`;
  }
  const seq = Number(stored["seq"]);
  if (seq > end.seq)
    return `it ends at entry ${end.seq}, but its sealed end is entry ${seq}: its end was cut off`;
  if (seq < end.seq)
    return `entries follow the sealed end ${seq} up to ${end.seq}: they were added past the service`;
  return stored["hash"] === end.hash
    ? undefined
    : `entry ${seq} is not the sealed end: the chain was rewritten`;
};

/**
 * Fails where a chain does not end as the service left it, so that the next entry seals no foreign one. The
 * caller has locked the chain.
 */
export const requireEnd = async (session: RightSession, tenantId: string, end: ChainEnd): Promise<void> => {
  if (session.rights?.isHeld() !== true) return;
  const stored = await readHead(session, tenantId);
  if (stored !== undefined) requireRow(session, "evidence_heads", stored);
  const fault = judgeEnd(stored, end);
  if (fault === undefined) return;
  const cause = new RowFault(`The evidence chain of tenant ${tenantId}: ${fault}. See idem rights verify`);
  throw new Failure("stored_damaged", {}, { cause });
};

/** The last entry of a tenant's chain. */
export const endOf = async ({ db }: RightSession, tenantId: string): Promise<ChainEnd> => {
  // Primary key of evidence, backwards, one row.
  const { rows } = await sql<ChainEnd>`select seq, hash from evidence where tenant_id = ${tenantId}
    order by seq desc limit 1`.execute(db);
  return rows[0] ?? { seq: 0, hash: "" };
};

/** The sealed end of a chain as it is stored. */
export const readHead = async ({ db }: RightSession, tenantId: string): Promise<Row | undefined> => {
  // Primary key, one row.
  const { rows } = await sql<Row>`select * from evidence_heads where tenant_id = ${tenantId}`.execute(db);
  return rows[0];
};

/** Seals the end of a chain. Without a key it does as `sealRow`. */
export const writeEnd = async (
  session: RightSession,
  tenantId: string,
  { seq, hash }: ChainEnd,
): Promise<void> => {
  const { rights } = session;
  // In a store without seals there is no row, and a start that begins the seals writes all of them.
  if (rights?.isHeld() !== true) return await requireNoSeals(session);
  const seal = rights.sealOf("evidence_heads", { tenantId, seq, hash });
  // Primary key, one row.
  await sql`insert into evidence_heads (tenant_id, seq, hash, seal) values (${tenantId}, ${seq}, ${hash}, ${seal})
    on conflict (tenant_id) do update set seq = excluded.seq, hash = excluded.hash, seal = excluded.seal`.execute(
    session.db,
  );
};

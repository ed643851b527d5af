import { sql } from "kysely";
import type { Session } from "#machine/storage/database";
import { endOf, writeEnd } from "#machine/storage/rights/chain-head";
import { type RightTableName, tableNames } from "#machine/storage/rights/declared-tables";
import { makeRights, type RightSession, type Rights, writeSeal } from "#machine/storage/rights/door";
import { rightsSecret } from "#machine/storage/rights/rights-secret";
import { stepOf } from "#record/transactions/record-call";
import { keyOf, pageMax, pageOf } from "./compare-seals.ts";
import type { rightsEvidenceKinds, WriteStep } from "./evidence-kinds.ts";
import { factsOf } from "./right-facts.ts";

type Beginning = {
  readonly key: Uint8Array;
  readonly sealedKey: Uint8Array;
  readonly at: Date;
  readonly isAnew: boolean;
};

/**
 * Keeps a new key and seals every row as it stands, also one with a seal of a former key. The ends of the
 * chains are taken anew, since one of a former key would stop the entries that are written here.
 */
export const begin = async <Tables>(
  given: Session<Tables>,
  writeStep: WriteStep<Tables>,
  { key, sealedKey, at, isAnew }: Beginning,
): Promise<boolean> => {
  // Primary key: of two processes at once the second waits here, and then inserts nothing.
  const { numAffectedRows } =
    await sql`insert into secrets (name, sealed) values (${rightsSecret}, ${sealedKey})
    on conflict do nothing`.execute(given.db);
  if (numAffectedRows !== 1n) return false;
  const rights = makeRights();
  rights.hold(key);
  const session = { ...given, rights };
  // All rows, one for each tenant at most: a first start finds none.
  await sql`delete from evidence_heads`.execute(session.db);
  const { rows: tenants } = await sql<{ readonly id: string }>`select id from tenants order by id`.execute(
    session.db,
  );
  const kind = (
    isAnew ? "rights_sealed_anew" : "rights_sealed"
  ) satisfies (typeof rightsEvidenceKinds)[number];
  for (const { id } of tenants) {
    const end = await endOf(session, id);
    if (end.seq > 0) await writeEnd(session, id, end);
    const body = await factsOf(session, id);
    if (body === undefined) continue;
    await writeStep(session, id, stepOf({ evidence: [{ id: crypto.randomUUID(), kind, at, body }] }));
  }
  for (const table of tableNames) await sealAll(session, table);
  return true;
};

const sealAll = async (
  session: RightSession & { readonly rights: Rights },
  table: RightTableName,
): Promise<void> => {
  for (let after: readonly string[] | undefined; ; ) {
    const rows = await pageOf(session, table, after);
    for (const row of rows)
      await writeSeal(session, table, keyOf(table, row), session.rights.sealOf(table, row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageMax) return;
    after = keyOf(table, last);
  }
};

import type { Session } from "./database.ts";
import { canonicalJson, chainStart, hashEvidence } from "./evidence.ts";
import type { EvidenceEntry, OutboxEvent, Step } from "./store.ts";

/** Writes what commits with a state change; runs inside the transaction of the command that changes the state. */
export const writeStep = async (session: Session, tenantId: string, step: Step): Promise<void> => {
  await writeEvents(session, tenantId, step.events);
  await writeEvidence(session, tenantId, step.evidence);
};

const writeEvents = async (
  { db }: Session,
  tenantId: string,
  events: readonly OutboxEvent[],
): Promise<void> => {
  if (events.length === 0) {
    return;
  }
  const rows = events.map(({ id, type, at, body }) => ({
    tenantId,
    id,
    type,
    at: at.getTime(),
    body: JSON.stringify(body),
  }));
  // Primary key: an event id that the tenant has used before fails the whole step.
  await db.insertInto("outbox").values(rows).execute();
};

const writeEvidence = async (
  session: Session,
  tenantId: string,
  entries: readonly EvidenceEntry[],
): Promise<void> => {
  if (entries.length === 0) {
    return;
  }
  await lockChain(session, tenantId);
  // Primary key (tenant_id, seq), backwards, one row.
  const head = await session.db
    .selectFrom("evidence")
    .select(["seq", "hash"])
    .where("tenantId", "=", tenantId)
    .orderBy("seq", "desc")
    .limit(1)
    .executeTakeFirst();
  let { seq, hash } = head ?? { seq: 0, hash: chainStart };
  for (const entry of entries) {
    seq += 1;
    const prevHash = hash;
    hash = hashEvidence({ tenantId, seq, entry, prevHash });
    const { id, kind, at } = entry;
    const row = {
      tenantId,
      seq,
      id,
      kind,
      at: at.getTime(),
      body: canonicalJson(entry.body),
      prevHash,
      hash,
    };
    // Primary key (tenant_id, seq): a second writer at the same place fails instead of forking the chain.
    await session.db.insertInto("evidence").values(row).execute();
  }
};

/**
 * A chain has one end, so writers of one tenant queue here until commit; other tenants pass. The tenant's row is the
 * lock because NO KEY UPDATE lets the foreign keys of other inserts go on.
 */
export const lockChain = async ({ db, locksRows }: Session, tenantId: string): Promise<void> => {
  if (locksRows) {
    // Primary key of tenants, one row locked until commit.
    await db.selectFrom("tenants").select("id").where("id", "=", tenantId).forNoKeyUpdate().execute();
  }
};

import { randomBytes } from "node:crypto";
import { canonicalJson } from "#contract/canonical-json";
import type { Session } from "#machine/storage/database";
import { requireEnd, writeEnd } from "#machine/storage/rights/chain-head";
import type { RowOf, TablesOf } from "#machine/storage/table";
import { chainStart, hashBody, hashLink, saltBytes } from "../evidence.ts";
import type { OperationStep } from "../operation-step.ts";
import type { EvidenceEntry, Step } from "../record.ts";
import type { evidenceBodyTable, evidenceTable, tenantTable } from "./transaction-tables.ts";

type EvidenceColumns = RowOf<typeof evidenceTable>;

/** Tables of the chain of evidence. */
export type StepTables = TablesOf<
  readonly [typeof tenantTable, typeof evidenceTable, typeof evidenceBodyTable]
>;

/**
 * Writes the rows of an operation, its events and their deliveries. Fails with operation_finished for a call
 * that names an ended operation by its id.
 */
export type WriteOperationStep = (tenantId: string, operation: OperationStep) => Promise<void>;

/** The session of a command that writes steps. `app/store-commands.ts` hands in the writer of operations. */
export type StepSession<Tables = unknown> = Session<Tables & StepTables> & {
  readonly writeOperationStep: WriteOperationStep;
};

/**
 * Writes the step of a state change, inside the transaction of the command that changes the state. Fails with
 * operation_finished for a call that names an ended operation by its id.
 */
export const writeStep = async (
  session: StepSession,
  tenantId: string,
  { operation, evidence }: Step,
): Promise<void> => {
  // First: every writer locks the operation before the chain.
  if (operation !== undefined) {
    await session.writeOperationStep(tenantId, operation);
  }
  await writeEvidence(session, tenantId, evidence);
};

const writeEvidence = async (
  session: Session<StepTables>,
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
  await requireEnd(session, tenantId, { seq, hash });
  for (const entry of entries) {
    seq += 1;
    hash = await appendLink(session, { tenantId, seq, prevHash: hash }, entry);
  }
  await writeEnd(session, tenantId, { seq, hash });
};

/** Writes one entry and its body; returns the hash of the entry. */
const appendLink = async (
  { db }: Session<StepTables>,
  place: Pick<EvidenceColumns, "tenantId" | "seq" | "prevHash">,
  { id, kind, at, body }: EvidenceEntry,
): Promise<string> => {
  const { tenantId, seq } = place;
  const text = canonicalJson(body);
  const salt = randomBytes(saltBytes).toString("hex");
  const bodyHash = hashBody(salt, text);
  const time = at.getTime();
  const hash = hashLink({ ...place, id, kind, at: time, bodyHash });
  // Primary key (tenant_id, seq): a second writer at the same place fails instead of forking the chain.
  await db
    .insertInto("evidence")
    .values({ ...place, id, kind, at: time, bodyHash, hash })
    .execute();
  // Primary key; the foreign key is the entry above.
  await db.insertInto("evidenceBodies").values({ tenantId, seq, at: time, salt, body: text }).execute();
  return hash;
};

/**
 * Two calls of a tenant end at the same moment, in two processes. Both read entry 41 as the end of the chain,
 * and both write entry 42 after it. One of them must not count, so its call fails although nothing was wrong
 * with it. Without the primary key both would count: the chain would fork, and its proof would be worth
 * nothing. So a writer takes this lock before it reads the end, and keeps it until commit. The next writer of
 * the tenant waits, and then reads entry 42. The lock is the tenant's row, because NO KEY UPDATE does not
 * block the foreign keys of other inserts.
 */
export const lockChain = async ({ db, locksRows }: Session<StepTables>, tenantId: string): Promise<void> => {
  if (locksRows) {
    // Primary key of tenants, one row locked until commit.
    await db.selectFrom("tenants").select("id").where("id", "=", tenantId).forNoKeyUpdate().execute();
  }
};

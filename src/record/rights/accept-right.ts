import { sql } from "kysely";
import type { Json } from "#contract/json";
import type { Session } from "#machine/storage/database";
import { endOf, writeEnd } from "#machine/storage/rights/chain-head";
import { type RightTableName, rightTables } from "#machine/storage/rights/declared-tables";
import {
  faultOf,
  placeOf,
  type RightSession,
  type Rights,
  readRow,
  writeSeal,
} from "#machine/storage/rights/door";
import { stepOf } from "#record/transactions/record-call";
import { compareEnd, tenantOf } from "./compare-seals.ts";
import type { rightsEvidenceKinds, WriteStep } from "./evidence-kinds.ts";
import { acceptedFacts } from "./right-facts.ts";

type Acceptance = {
  readonly table: RightTableName;
  readonly key: readonly string[];
  readonly at: Date;
  readonly differs: boolean;
};

/** Seals a row or the end of a chain as it stands, and writes an entry that states it, in one commit. */
export const accept = async <Tables>(
  session: Session<Tables>,
  writeStep: WriteStep<Tables>,
  acceptance: Acceptance,
): Promise<boolean> => {
  const { rights } = session;
  // Without the key of the seals no row has a fault.
  if (rights?.isHeld() !== true) return false;
  const accepted =
    acceptance.table === "evidence_heads"
      ? await acceptEnd(session, acceptance)
      : await acceptRow({ ...session, rights }, acceptance);
  if (accepted === undefined) return false;
  const { tenantId, place, facts } = accepted;
  const kind = "right_accepted" satisfies (typeof rightsEvidenceKinds)[number];
  const body = { row: place, ...facts };
  await writeStep(
    session,
    tenantId,
    stepOf({ evidence: [{ id: crypto.randomUUID(), kind, at: acceptance.at, body }] }),
  );
  return true;
};

type Accepted = {
  readonly tenantId: string;
  readonly place: string;
  readonly facts: Readonly<Record<string, Json>>;
};

const acceptEnd = async (
  session: RightSession,
  { key: [tenantId = ""] }: Pick<Acceptance, "key">,
): Promise<Accepted | undefined> => {
  // No writer appends to the chain until commit.
  await readRow(session, "tenants", [tenantId]);
  if ((await compareEnd(session, tenantId)).length === 0) return undefined;
  const end = await endOf(session, tenantId);
  // Primary key, one row.
  if (end.seq === 0) await sql`delete from evidence_heads where tenant_id = ${tenantId}`.execute(session.db);
  else await writeEnd(session, tenantId, end);
  return { tenantId, place: `evidence_heads ${tenantId}`, facts: { end: { seq: end.seq, hash: end.hash } } };
};

const acceptRow = async (
  session: RightSession & { readonly rights: Rights },
  { table, key, differs }: Acceptance,
): Promise<Accepted | undefined> => {
  const row = await readRow(session, table, key);
  const isWhole = row === undefined || faultOf(session, table, row) === undefined;
  if (isWhole && !differs) return undefined;
  if (row !== undefined) await writeSeal(session, table, key, session.rights.sealOf(table, row));
  const [tenantId = "", id = ""] = key;
  return {
    tenantId: row === undefined ? tenantId : tenantOf(table, row),
    place: row === undefined ? [table, ...key].join(" ") : placeOf(table, row),
    facts: acceptedFacts(table, rightTables[table].key.length === 2 ? id : tenantId, row),
  };
};

import type { Session } from "#machine/storage/database";
import type { TablesOf } from "#machine/storage/table";
import { bodiesRemoved, type EvidenceLink, receiptKinds } from "../evidence.ts";
import type { EvidenceEntry } from "../record.ts";
import { lockChain, type StepSession, type StepTables, writeStep } from "./step-store.ts";
import type { evidenceAnchorTable } from "./transaction-tables.ts";

/** An entry as it is stored, for its verification. */
export type StoredLink = Omit<EvidenceLink, "bodyHash"> & {
  /** Absent in an entry of an earlier release. */
  readonly bodyHash?: string;
  readonly hash: string;
  /** Absent once removed. `text` is canonical JSON, `salt` hex, empty in an entry of an earlier release. */
  readonly body?: { readonly at: number; readonly salt: string; readonly text: string };
};

/** The end of a tenant's chain. */
export type ChainHead = Pick<EvidenceLink, "tenantId" | "seq" | "at"> & { readonly hash: string };

/** A time-stamp of a head (RFC 3161): the token of an authority over its hash. `at` is the stamped time. */
export type Anchor = ChainHead & { readonly authority: string; readonly token: Uint8Array };

export type EvidenceTables = StepTables & TablesOf<readonly [typeof evidenceAnchorTable]>;

/** Id and time of the entry that a removal writes. */
export type Receipt = { readonly id: string; readonly at: Date };

/** Commands for chains, bodies and anchors; implemented by {@link makeEvidenceCommands}. */
export type EvidenceCommands = {
  /** Appends entries that document no change of state, such as a question that leaves the deployment. */
  readonly recordEvidence: (tenantId: string, entries: readonly EvidenceEntry[]) => Promise<void>;
  /** The last entry of every tenant that has one. */
  readonly listChainHeads: () => Promise<readonly ChainHead[]>;
  /** Up to `limit` (1000 at most) entries after `seq`, in order, with their bodies. */
  readonly listLinks: (tenantId: string, seq: number, limit?: number) => Promise<readonly StoredLink[]>;
  /** Up to 100 anchors after `seq`, in order. */
  readonly listAnchors: (tenantId: string, seq: number) => Promise<readonly Anchor[]>;
  /** The newest anchor of every tenant that has one, without its token. */
  readonly listNewestAnchors: () => Promise<readonly ChainHead[]>;
  /** False, and nothing written, when this head has an anchor. */
  readonly insertAnchor: (anchor: Anchor) => Promise<boolean>;
  /**
   * Removes up to 1000 bodies of the tenant from before `before`, the oldest first, but of no receipt. Writes
   * one entry that names their positions. Returns how many; with none nothing is written.
   */
  readonly removeBodies: (tenantId: string, before: Date, receipt: Receipt) => Promise<number>;
};

/** Commands after which the disk must no longer hold the removed values: an erasure calls them. */
export const erasingEvidenceCommands = [
  "removeBodies",
] as const satisfies readonly (keyof EvidenceCommands)[];

/** An entry has some 300 bytes, and other commands wait for the page. */
const pageMax = 1000;
/** A token has up to 64 kB. */
const anchorsMax = 100;
const removedMax = 1000;

/** Reading of the chains, their anchors, and the removal of bodies. */
export const makeEvidenceCommands = (session: StepSession<EvidenceTables>): EvidenceCommands => ({
  ...makeChainReads(session),
  ...makeAnchorCommands(session),
  recordEvidence: (tenantId, evidence) => writeStep(session, tenantId, { evidence }),
  removeBodies: (tenantId, before, receipt) => removeBodies(session, tenantId, before, receipt),
});

const makeChainReads = ({
  db,
}: Session<EvidenceTables>): Pick<EvidenceCommands, "listChainHeads" | "listLinks"> => ({
  listChainHeads: async () => {
    // Primary key of evidence, backwards, one row per tenant. SQLite keeps the order of a cross join; from an
    // inner join it scans the whole of evidence (139 ms for 57,750 entries, docs/measurements/store.md).
    return await db
      .selectFrom("tenants")
      .crossJoin("evidence as head")
      .select(["head.tenantId", "head.seq", "head.at", "head.hash"])
      .whereRef("head.tenantId", "=", "tenants.id")
      .where("head.seq", "=", (row) =>
        row
          .selectFrom("evidence as last")
          .select("last.seq")
          .whereRef("last.tenantId", "=", "tenants.id")
          .orderBy("last.seq", "desc")
          .limit(1),
      )
      .execute();
  },

  listLinks: async (tenantId, seq, limit = pageMax) => {
    // Primary key (tenant_id, seq) of both tables, a range of it.
    const rows = await db
      .selectFrom("evidence as link")
      .leftJoin("evidenceBodies as body", (join) =>
        join.onRef("body.tenantId", "=", "link.tenantId").onRef("body.seq", "=", "link.seq"),
      )
      .selectAll("link")
      .select(["body.at as bodyAt", "body.salt", "body.body"])
      .where("link.tenantId", "=", tenantId)
      .where("link.seq", ">", seq)
      .orderBy("link.seq")
      .limit(Math.min(limit, pageMax))
      .execute();
    return rows.map(({ bodyHash, bodyAt, salt, body, ...link }) => ({
      ...link,
      ...(bodyHash !== null && { bodyHash }),
      ...(bodyAt !== null && salt !== null && body !== null && { body: { at: bodyAt, salt, text: body } }),
    }));
  },
});

const makeAnchorCommands = ({
  db,
}: Session<EvidenceTables>): Pick<
  EvidenceCommands,
  "listAnchors" | "listNewestAnchors" | "insertAnchor"
> => ({
  listAnchors: async (tenantId, seq) => {
    // Primary key (tenant_id, seq), a range of it.
    const rows = await db
      .selectFrom("evidenceAnchors")
      .selectAll()
      .where("tenantId", "=", tenantId)
      .where("seq", ">", seq)
      .orderBy("seq")
      .limit(anchorsMax)
      .execute();
    return rows.map(({ token, ...row }) => ({ ...row, token: new Uint8Array(token) }));
  },

  listNewestAnchors: async () => {
    // Primary key of evidence_anchors, backwards, one row per tenant.
    return await db
      .selectFrom("tenants")
      .innerJoin("evidenceAnchors as head", (join) =>
        join
          .onRef("head.tenantId", "=", "tenants.id")
          .on((on) =>
            on(
              "head.seq",
              "=",
              on
                .selectFrom("evidenceAnchors as last")
                .select("last.seq")
                .whereRef("last.tenantId", "=", "tenants.id")
                .orderBy("last.seq", "desc")
                .limit(1),
            ),
          ),
      )
      .select(["head.tenantId", "head.seq", "head.at", "head.hash"])
      .execute();
  },

  insertAnchor: async (anchor) => {
    // Primary key: of two processes that stamp a head at once one inserts.
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("evidenceAnchors")
      .values(anchor)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  },
});

const removeBodies = async (
  session: StepSession,
  tenantId: string,
  before: Date,
  receipt: Receipt,
): Promise<number> => {
  // Of two processes the second waits here, then finds no body that the first has removed.
  await lockChain(session, tenantId);
  // Index evidence_bodies_age, the oldest first; skips the few receipts.
  const due = await session.db
    .selectFrom("evidenceBodies as body")
    .innerJoin("evidence as link", (join) =>
      join.onRef("link.tenantId", "=", "body.tenantId").onRef("link.seq", "=", "body.seq"),
    )
    .select("body.seq")
    .where("body.tenantId", "=", tenantId)
    .where("body.at", "<", before.getTime())
    .where("link.kind", "not in", receiptKinds)
    .orderBy("body.at")
    .orderBy("body.seq")
    .limit(removedMax)
    .execute();
  const seqs = due.map(({ seq }) => seq);
  if (seqs.length === 0) {
    return 0;
  }
  // Primary key, one probe for each.
  await session.db
    .deleteFrom("evidenceBodies")
    .where("tenantId", "=", tenantId)
    .where("seq", "in", seqs)
    .execute();
  const body = { from: Math.min(...seqs), through: Math.max(...seqs), count: seqs.length };
  await writeStep(session, tenantId, { evidence: [{ ...receipt, kind: bodiesRemoved, body }] });
  return seqs.length;
};

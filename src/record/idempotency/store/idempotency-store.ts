import type { KeptAnswer } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { TablesOf } from "#machine/storage/table";
import type { SealedTransaction, Step, TokenUse, TransactionRecord } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import {
  insertTransaction,
  type TransactionTables,
  takeTransactionId,
  useTokens,
} from "#record/transactions/store/transaction-store";
import { type Claim, type Claimed, type ClaimName, type HeldClaim, judgeClaim } from "./claim.ts";
import type { idempotentCallTable } from "./idempotency-tables.ts";

/**
 * A row is a call under a retry key. `sealedAnswer` is null while it runs and after an attempt without an
 * end.
 */
export type IdempotencyTables = TablesOf<readonly [typeof idempotentCallTable]>;

/** Commands for calls under a retry key; implemented by {@link makeIdempotencyCommands}. */
export type IdempotencyCommands<Recorded = TransactionRecord> = {
  /**
   * Claims a call for one attempt. Of attempts at the same moment, in any process, one gets `claimed`. An
   * attempt whose lease is over is taken over only if its effect is not committed, and its effect can never
   * commit afterwards.
   */
  readonly claimCall: (claim: Claim) => Promise<Claimed>;
  /** Stores the answer of the attempt that holds the claim. False, and nothing written, if it does not. */
  readonly keepAnswer: (answer: KeptAnswer) => Promise<boolean>;
  /**
   * `recordTransaction` together with the answer. Fails with idempotency_call_running, and writes nothing,
   * unless this attempt holds the claim.
   */
  readonly recordAnswered: (
    record: Recorded,
    uses: readonly TokenUse[],
    step: Step,
    answer: KeptAnswer,
  ) => Promise<void>;
  /** Ends a call that had no effect or may run again: the next attempt is a first one. */
  readonly releaseCall: (claim: HeldClaim) => Promise<void>;
  /** Ends the lease of an attempt whose effect is unknown: the next attempt asks whether it was committed. */
  readonly endCallLease: (claim: HeldClaim) => Promise<void>;
  /** Deletes up to 100 calls that were claimed before `before`; returns how many. */
  readonly purgeIdempotentCalls: (before: Date) => Promise<number>;
  /** Deletes up to 100 calls of a tenant that were claimed before `before`; returns how many. */
  readonly forgetIdempotentCalls: (tenantId: string, before: Date) => Promise<number>;
};

type IdempotencySession = StepSession<IdempotencyTables & TransactionTables>;

/** Longest list that one command deletes: a row may hold an answer of a megabyte, and other commands wait. */
const purgeRowsMax = 100;

/**
 * A row can vanish between two statements only by its release, and each try needs another release in that
 * moment. Four are our choice: after the last the answer is `running`, and a retry is safe.
 */
const triesMax = 4;

/** Calls under a retry key. */
export const makeIdempotencyCommands = (
  session: IdempotencySession,
): IdempotencyCommands<SealedTransaction> => ({
  claimCall: (claim) => claimCall(session, claim),

  keepAnswer: (answer) => writeAnswer(session, answer),

  recordAnswered: async (record, uses, step, answer) => {
    // First, so that this row and the row of the transaction are locked in the same order as by `claimCall`.
    if (!(await writeAnswer(session, answer))) {
      throw new Failure("idempotency_call_running");
    }
    await useTokens(session, record.tenantId, uses);
    await insertTransaction(session, record);
    await writeStep(session, record.tenantId, step);
  },

  releaseCall: async (claim) => {
    await session.db
      .deleteFrom("idempotentCalls")
      .where("tenantId", "=", claim.tenantId)
      .where("name", "=", claim.name)
      .where("transactionId", "=", claim.transactionId)
      .where("sealedAnswer", "is", null)
      .execute();
  },

  endCallLease: async (claim) => {
    await heldRow(session, claim).set({ leasedUntil: 0 }).execute();
  },

  purgeIdempotentCalls: (before) => purge(session, before),

  forgetIdempotentCalls: (tenantId, before) => purge(session, before, tenantId),
});

/** The unanswered row while this attempt holds it. Primary key, one row. */
const heldRow = ({ db }: IdempotencySession, { tenantId, name, transactionId }: HeldClaim) =>
  db
    .updateTable("idempotentCalls")
    .where("tenantId", "=", tenantId)
    .where("name", "=", name)
    .where("transactionId", "=", transactionId)
    .where("sealedAnswer", "is", null);

const writeAnswer = async (session: IdempotencySession, answer: KeptAnswer): Promise<boolean> => {
  await requireLiveKeys(session, answer.tenantId, answer.sealed);
  const { numUpdatedRows } = await heldRow(session, answer)
    .set({ sealedAnswer: answer.sealed })
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

const claimCall = async (session: IdempotencySession, claim: Claim): Promise<Claimed> => {
  for (let tries = 0; tries < triesMax; tries += 1) {
    if (await insertClaim(session, claim)) {
      return { kind: "claimed" };
    }
    const row = await lockRow(session, claim);
    if (row !== undefined) {
      return await decide(session, row, claim);
    }
  }
  return { kind: "running" };
};

const insertClaim = async ({ db }: IdempotencySession, claim: Claim): Promise<boolean> => {
  // Primary key (tenant_id, name): of two simultaneous attempts the second waits here, then inserts nothing.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("idempotentCalls")
    .values({ tenantId: claim.tenantId, name: claim.name, ...columnsOf(claim) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

const columnsOf = ({ request, owner, transactionId, now, leasedUntil }: Claim) => ({
  request,
  owner,
  transactionId,
  claimedAt: now.getTime(),
  leasedUntil: leasedUntil.getTime(),
  sealedAnswer: null,
});

const lockRow = async ({ db, locksRows }: IdempotencySession, { tenantId, name }: ClaimName) =>
  // Primary key, one row, locked until commit: a second attempt waits and sees the first one's decision.
  await db
    .selectFrom("idempotentCalls")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("name", "=", name)
    .$if(locksRows, (query) => query.forUpdate())
    .executeTakeFirst();

const decide = async (
  session: IdempotencySession,
  row: IdempotencyTables["idempotentCalls"],
  claim: Claim,
): Promise<Claimed> => {
  const { transactionId, sealedAnswer } = row;
  const verdict = judgeClaim({ ...row, isAnswered: sealedAnswer !== null }, claim);
  if (sealedAnswer !== null && verdict === "answered") {
    return { kind: "answered", transactionId, sealed: new Uint8Array(sealedAnswer) };
  }
  if (verdict === "running" || verdict === "reused" || verdict === "taken") {
    return { kind: verdict };
  }
  if (verdict === "abandoned" && !(await abandon(session, claim, transactionId))) {
    return { kind: "lost", transactionId };
  }
  // Primary key, one row, locked above.
  await session.db
    .updateTable("idempotentCalls")
    .set(columnsOf(claim))
    .where("tenantId", "=", claim.tenantId)
    .where("name", "=", claim.name)
    .execute();
  return { kind: "claimed" };
};

/**
 * Gives the former attempt's transaction id to a record without an effect. A worker that is still alive then
 * cannot commit under it. False if the former attempt has committed.
 */
const abandon = async (
  session: IdempotencySession,
  { tenantId, keyId, environment, now }: Claim,
  id: string,
): Promise<boolean> =>
  await takeTransactionId(session, {
    id,
    tenantId,
    keyId,
    environment,
    endpoint: "abandonedCall",
    at: now,
    result: null,
    sealedMeasurements: new Uint8Array(),
    policyVersion: "",
    models: {},
    tokenHashes: [],
  });

const purge = async ({ db }: IdempotencySession, before: Date, tenantId?: string): Promise<number> => {
  // Index idempotent_calls_age, or the tenant's range of the primary key, finds them; the primary key deletes
  // them.
  const { numDeletedRows } = await db
    .deleteFrom("idempotentCalls")
    .where((row) =>
      row(
        row.refTuple("tenantId", "name"),
        "in",
        row
          .selectFrom("idempotentCalls")
          .select(["tenantId", "name"])
          .where("claimedAt", "<", before.getTime())
          .$if(tenantId !== undefined, (query) => query.where("tenantId", "=", tenantId ?? ""))
          .$if(tenantId === undefined, (query) => query.orderBy("claimedAt"))
          .limit(purgeRowsMax)
          .$asTuple("tenantId", "name"),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
};

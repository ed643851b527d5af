import type { CommitCall, KeptAnswer } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { AnswerOnce, KeyedCall, WrittenAnswer } from "#machine/http/options";
import type { Keyring } from "#machine/storage/blobs";
import type { TransactionRecord } from "#record/transactions/record";
import { judgeFailedEnd } from "./judge-end.ts";
import type { Claim, Claimed, HeldClaim } from "./store/claim.ts";
import type { IdempotencyCommands } from "./store/idempotency-store.ts";
import { openAnswer, sealAnswer } from "./stored-answer.ts";

export type AnswerOnceDeps = {
  readonly store: Pick<IdempotencyCommands, "claimCall" | "keepAnswer" | "releaseCall" | "endCallLease"> & {
    readonly findTransaction: (
      tenantId: string,
      id: string,
    ) => Promise<Pick<TransactionRecord, "result"> | undefined>;
  };
  readonly keyring: Pick<Keyring, "seal" | "open" | "pseudonym">;
  /** Longer than a call may take: a call that outlives it may be taken over. */
  readonly leaseMs: number;
  /** How long a key is remembered. */
  readonly keptMs: number;
  /** How long an equal request under the caller's own reference counts as a retry; 0: never. */
  readonly referenceKeptMs: number;
  /** How long an equal request with the same one-use token counts as a retry; 0: never. */
  readonly tokenKeptMs: number;
  readonly clock: () => Date;
  readonly count: (kind: Claimed["kind"]) => void;
  /** Reports an answer that could not be stored: the caller gets it all the same. */
  readonly onError: (note: string, error: unknown) => void;
};

/**
 * A larger answer is not stored: a retry runs again. Only `detokenize` returns the caller's own image, and
 * `digitalSign` a document, which a retry signs once more.
 */
export const answerBytesMax = 1024 * 1024;

/**
 * Implements the server's port over the store: one effect for all attempts of a call, in any process.
 *
 * A caller enrols a person, the call commits, and the connection breaks before the answer arrives. The caller
 * cannot know whether the person is enrolled, and sends the call again. A second run would find a used token
 * and a known face, and answer that the enrolment failed. So an attempt claims the call before it runs, and
 * its answer is stored with its effect: the retry gets that answer. If the process dies before the commit,
 * the lease of the claim ends, and a retry runs the call. A retry that comes while an attempt still runs is
 * refused.
 */
export const makeAnswerOnce =
  (deps: AnswerOnceDeps): AnswerOnce =>
  async (call, run) => {
    const rememberedMs = { key: deps.keptMs, reference: deps.referenceKeptMs, token: deps.tokenKeptMs }[
      call.key.kind
    ];
    if (rememberedMs === 0) return { ...(await run()).answer, isReplayed: false };
    const claim = await claimOf(deps, call, rememberedMs);
    const claimed = await deps.store.claimCall(claim);
    deps.count(claimed.kind);
    return claimed.kind === "claimed"
      ? { ...(await carryOut(deps, call, claim, run)), isReplayed: false }
      : { ...(await answerEarlier(deps, call, claim, claimed)), isReplayed: true };
  };

/**
 * The answer of an earlier attempt, or the failure that stands for it. A caller without the right to the call
 * learns neither.
 */
const answerEarlier = async (
  deps: AnswerOnceDeps,
  { onReplay, judgeRight }: KeyedCall,
  { tenantId, name }: Claim,
  claimed: Exclude<Claimed, { readonly kind: "claimed" }>,
): Promise<WrittenAnswer> => {
  await judgeRight();
  if (claimed.kind === "taken") throw new Failure("idempotency_key_taken");
  if (claimed.kind === "running") throw new Failure("idempotency_call_running");
  if (claimed.kind === "reused") throw new Failure("idempotency_key_reused");
  const held = { tenantId, name, transactionId: claimed.transactionId };
  const answer =
    claimed.kind === "answered" ? await openAnswer(deps.keyring, held, claimed.sealed) : undefined;
  if (answer === undefined) throw await lost(deps, held);
  onReplay(claimed.transactionId);
  return answer;
};

/** Keys, references and bodies can hold personal data: only keyed hashes of them are stored. */
const claimOf = async (
  { keyring, clock, leaseMs }: AnswerOnceDeps,
  { key, caller, lineage, route, request, transactionId }: KeyedCall,
  rememberedMs: number,
): Promise<Claim> => {
  const { tenantId, keyId, environment } = caller;
  // A reference or a token may have any number of different requests, of any number of owners; each has a row
  // of its own.
  const parts = [key.kind, environment, route, key.value, ...(key.kind === "key" ? [] : [request, lineage])];
  const now = clock();
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  return {
    tenantId,
    keyId,
    environment,
    transactionId,
    name: await keyring.pseudonym(tenantId, "answers", JSON.stringify(parts)),
    request: await keyring.pseudonym(tenantId, "answers", request),
    owner: lineage,
    now,
    leasedUntil: after(leaseMs),
    forgottenBefore: after(-rememberedMs),
  };
};

type StoredAnswer = WrittenAnswer & { readonly body: string };

/** A streamed body is larger than any answer that is stored. */
const isStorable = (answer: WrittenAnswer): answer is StoredAnswer =>
  typeof answer.body === "string" && Buffer.byteLength(answer.body) <= answerBytesMax;

type Run = Parameters<AnswerOnce>[1];

const carryOut = async (
  deps: AnswerOnceDeps,
  call: KeyedCall,
  claim: Claim,
  run: Run,
): Promise<WrittenAnswer> => {
  let commit: CommitCall | undefined;
  try {
    const { answer, isFinal, kept } = await run((deferred) => {
      if (commit !== undefined) throw new Error("A call was recorded twice");
      commit = deferred;
    });
    const forRetries = kept === undefined ? answer : call.refuse(kept);
    const isKept = isFinal && isStorable(forRetries);
    await end(deps, claim, isKept ? forRetries : undefined, commit);
    return answer;
  } catch (error) {
    await endFailed(deps, call, claim, error);
    throw error;
  }
};

/**
 * Stores the answer with the deferred commit, or alone for a call that has committed already. Fails only with
 * the commit.
 */
const end = async (
  deps: AnswerOnceDeps,
  claim: Claim,
  answer: WrittenAnswer | undefined,
  commit: CommitCall | undefined,
): Promise<void> => {
  if (commit !== undefined && answer !== undefined) {
    await commit(await keptAnswer(deps, claim, answer));
    return;
  }
  await commit?.(undefined);
  await quietly(deps, () =>
    answer === undefined ? deps.store.releaseCall(claim) : keep(deps, claim, answer),
  );
};

const endFailed = async (
  deps: AnswerOnceDeps,
  { key, refuse }: KeyedCall,
  claim: Claim,
  error: unknown,
): Promise<void> => {
  const verdict = judgeFailedEnd(error);
  await quietly(deps, async () => {
    if (verdict === "unknown") {
      await deps.store.endCallLease(claim);
    } else if (verdict === "keep" && key.kind === "key" && error instanceof Failure) {
      await keep(deps, claim, refuse(error));
    } else {
      await deps.store.releaseCall(claim);
    }
  });
};

const keptAnswer = async (
  { keyring }: AnswerOnceDeps,
  claim: HeldClaim,
  answer: WrittenAnswer,
): Promise<KeptAnswer> => {
  const { tenantId, name, transactionId } = claim;
  return { tenantId, name, transactionId, sealed: await sealAnswer(keyring, claim, answer) };
};

const keep = async (deps: AnswerOnceDeps, claim: HeldClaim, answer: WrittenAnswer): Promise<void> => {
  await deps.store.keepAnswer(await keptAnswer(deps, claim, answer));
};

/** The call has ended, with or without this: when the lease is over, the store decides what a retry gets. */
const quietly = async ({ onError }: AnswerOnceDeps, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    onError("The answer of a call could not be stored for its retries", error);
  }
};

/**
 * The result of a call holds numbers and references, nothing personal. The sealed measurements are not
 * opened.
 */
const lost = async ({ store }: AnswerOnceDeps, { tenantId, transactionId }: HeldClaim): Promise<Failure> => {
  const record = await store.findTransaction(tenantId, transactionId);
  return new Failure("idempotency_answer_lost", {
    transactionId,
    ...(record !== undefined && { result: JSON.stringify(record.result) }),
  });
};

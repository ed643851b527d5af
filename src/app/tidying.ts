import type { CaptureCommands } from "#features/capture/store/capture-store";
import type { ClearingCommands } from "#features/clearing/store/clearing-store";
import type { TransferCommands } from "#features/clearing/store/transfer-store";
import type { RegistryPersonCommands } from "#features/registry/store/registry-person-store";
import type { SignedDocumentCommands } from "#features/signing/store/signed-document-store";
import type { FaceListCommands } from "#features/users/store/face-list-store";
import type { UserCommands } from "#features/users/store/user-store";
import type { VerificationCommands } from "#features/verification/store/verification-store";
import type { BlobRetentionCommands } from "#judging/document/store/blob-retention-store";
import type { ClaimCommands } from "#judging/document/store/claim-store";
import type { ListedDocumentCommands } from "#judging/document/store/listed-document-store";
import type { ValidationRetentionCommands } from "#judging/document/store/validation-retention-store";
import type { BlobCommands } from "#machine/storage/blob-store";
import type { Objects } from "#machine/storage/objects";
import { sweepBlobs } from "#machine/storage/sealed-blobs";
import type { IdempotencyCommands } from "#record/idempotency/store/idempotency-store";
import type { Task } from "#record/jobs/schedule";
import type { OperationRetentionCommands } from "#record/operations/store/operation-retention-store";
import type { MeasurementSeal } from "#record/transactions/measurement-seal";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { RetentionCommands } from "#record/transactions/store/retention-store";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { DestinationCommands } from "#record/webhooks/store/destination-store";
import type { OneShotCommands } from "#record/webhooks/store/one-shot-store";
import type { KeyCommands } from "#trust/key-ring/key-store";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { type Erasure, erasedParts, removeErasedBodies, runParts, untilNone } from "./erasure.ts";

/** How long each kind of data is kept, in milliseconds. */
export type Retention = {
  /** Images of a decided validation. */
  readonly imagesMs: number;
  /** Claims that join a document number to a customer. */
  readonly numbersMs: number;
  /** Velocity events of a document or a caller's reference. */
  readonly velocityMs: number;
  /** Answered calls. */
  readonly transactionsMs: number;
  /** Decided validations (status, sealed input and sealed record), and settled verifications. */
  readonly validationsMs: number;
  /** Bodies of evidence. The entries of the chain stay for ever. */
  readonly evidenceMs: number;
  /** Settled transfers and callbacks of pension clearing. */
  readonly transfersMs: number;
  /** Kept signed documents; 0 where none is kept. */
  readonly documentsMs: number;
};

export type TidyingDeps = {
  readonly objects: Objects;
  readonly store: BlobRetentionCommands &
    ValidationRetentionCommands &
    Pick<RetentionCommands, "purgeTransactions" | "listPlainMeasurements" | "sealMeasurements"> &
    Pick<EvidenceCommands, "removeBodies"> &
    Pick<OperationRetentionCommands, "eraseOperations"> &
    Pick<SignedDocumentCommands, "purgeSignedDocuments"> &
    Pick<RegistryPersonCommands, "purgeRegistryPersons"> &
    Pick<ClearingCommands, "purgeClearingTokens" | "eraseClearingTokens" | "eraseClearingCredentials"> &
    Pick<TransferCommands, "purgeTransfers" | "eraseTransfers"> &
    Pick<OneShotCommands, "purgeOneShots" | "eraseOneShots"> &
    Pick<CaptureCommands, "purgeCaptures" | "purgeCaptureFailures"> &
    Pick<VerificationCommands, "eraseVerifications" | "purgeVerifications"> &
    Pick<DestinationCommands, "forgetDestinations"> &
    Pick<IdempotencyCommands, "forgetIdempotentCalls"> &
    Pick<ClaimCommands, "purgeClaims"> &
    BlobCommands &
    Pick<KeyCommands, "listKeys"> &
    Pick<TenantCommands, "listTenants"> &
    Pick<FaceListCommands, "purgeBlocked"> &
    Pick<UserCommands, "purgeUsers"> &
    Pick<TransactionCommands, "purgeTokenUses"> &
    Pick<ListedDocumentCommands, "purgeVelocityEvents" | "eraseListedDocuments">;
  readonly measurements: Pick<MeasurementSeal, "sealBytes">;
  readonly kept: Retention;
  readonly clock: () => Date;
  readonly newId: () => string;
};

export const tidyEveryMs = 3_600_000;

/** A call writes its row within its own time limit. One hour is far beyond that limit. */
const orphanAgeMs = 3_600_000;

const dayMs = 86_400_000;

/**
 * Tasks that remove data which is not needed any more: images, claims, velocity events, validations, answered calls and
 * bodies of evidence beyond their retention, blobs that no row names, used tokens that have expired, and what an
 * interrupted erasure left. They also seal measurements of earlier releases. When a task has ended, it uses the store
 * no more.
 */
export const makeTidyingTasks = (deps: TidyingDeps): readonly Task[] => {
  const { objects, store, kept, clock } = deps;
  const before = (ageMs: number): Date => new Date(clock().getTime() - ageMs);
  // The task computes the limit once. Rows that reach the age during the task belong to the next round.
  const purge =
    (remove: (before: Date) => Promise<number>, ageMs = 0): Task =>
    (signal) => {
      const limit = before(ageMs);
      return untilNone(() => remove(limit), signal);
    };
  const purgeEach =
    (remove: (tenantId: string, before: Date) => Promise<number>, limitOf: () => Date): Task =>
    async (signal) => {
      const limit = limitOf();
      for (const { id } of await store.listTenants()) {
        await untilNone(() => remove(id, limit), signal);
      }
    };
  const removeBodies = (tenantId: string, limit: Date): Promise<number> =>
    store.removeBodies(tenantId, limit, { id: deps.newId(), at: clock() });
  return [
    purge(store.forgetBlobs, kept.imagesMs),
    // Before the sweep, which removes the objects of their images.
    purgeEach(store.purgeValidations, () => before(kept.validationsMs)),
    (signal) => sweepBlobs(stoppable(objects, signal), store, before(orphanAgeMs)),
    purge(store.purgeTokenUses),
    purge(store.purgeClearingTokens),
    purge(store.purgeUsers),
    purge(store.purgeClaims, kept.numbersMs),
    purge(store.purgeBlocked),
    purge(store.purgeVelocityEvents, kept.velocityMs),
    // Before the sweep of the next round, which removes the objects of their parts.
    purgeEach(store.purgeSignedDocuments, () => before(kept.documentsMs)),
    purgeEach(store.purgeVerifications, () => before(kept.validationsMs)),
    purgeEach(store.purgeTransfers, () => before(kept.transfersMs)),
    purgeEach(store.purgeOneShots, () => before(kept.transfersMs)),
    purgeEach(store.purgeTransactions, () => before(kept.transactionsMs)),
    // Whole days: a removal writes an entry of evidence, and so a tenant gets one a day and not one an hour.
    purgeEach(removeBodies, () => startOfDay(before(kept.evidenceMs))),
    (signal) => finishErasures(deps, signal),
    (signal) => sealFormer(deps, signal),
  ];
};

const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / dayMs) * dayMs);

/** Removes or forgets what an interrupted erasure left, and bodies of calls that were answered during an erasure. */
const finishErasures = async (deps: TidyingDeps, signal: AbortSignal): Promise<void> => {
  for (const erasure of erasuresOf(await deps.store.listKeys())) {
    const { tenantId, at } = erasure;
    await runParts({
      ...erasedParts(deps.store, erasure, signal),
      "answers of retries": () => untilNone(() => deps.store.forgetIdempotentCalls(tenantId, at), signal),
      "bodies of evidence": () => removeErasedBodies(deps, erasure, signal),
    });
  }
};

/** The newest erasure of each tenant: only an erasure destroys a data key. */
const erasuresOf = (keys: Awaited<ReturnType<KeyCommands["listKeys"]>>): readonly Erasure[] => {
  const newest = new Map<string, Date>();
  for (const { tenantId, destroyedAt } of keys) {
    if (destroyedAt !== undefined && destroyedAt >= (newest.get(tenantId) ?? destroyedAt)) {
      newest.set(tenantId, destroyedAt);
    }
  }
  return [...newest].map(([tenantId, at]) => ({ tenantId, at }));
};

/**
 * Seals the measurements that an earlier release stored in plain. After an interruption the next round continues. A tenant
 * whose keys do not open keeps no other waiting: the task fails at its end, with the first error.
 */
const sealFormer = async (deps: TidyingDeps, signal: AbortSignal): Promise<void> => {
  const failed: { readonly id: string; readonly cause: unknown }[] = [];
  for (const { id } of await deps.store.listTenants()) {
    await untilNone(() => sealSome(deps, id), signal).catch((cause: unknown) => failed.push({ id, cause }));
  }
  const [first] = failed;
  if (first !== undefined) {
    const message = `Measurements of ${failed.length} tenants are not sealed yet: the first is ${first.id}`;
    throw new Error(message, { cause: first.cause });
  }
};

/** Seals the rows of one command. Returns how many. */
const sealSome = async ({ store, measurements }: TidyingDeps, tenantId: string): Promise<number> => {
  const sealed = [];
  for (const { measurements: former, ...call } of await store.listPlainMeasurements(tenantId)) {
    const { id } = call;
    sealed.push({ tenantId, id, sealedMeasurements: await measurements.sealBytes(call, former) });
  }
  await store.sealMeasurements(sealed);
  return sealed.length;
};

/** The same objects. Their list ends early when the signal aborts. */
const stoppable = (objects: Objects, signal: AbortSignal): Objects => ({
  ...objects,
  list: async function* () {
    for await (const object of objects.list()) {
      if (signal.aborted) return;
      yield object;
    }
  },
});

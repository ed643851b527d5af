/** The parts of an erasure that follow the destruction of a tenant's keys. Each part can run again. */

import { Failure } from "#contract/failure";
import type { CaptureCommands } from "#features/capture/store/capture-store";
import type { ClearingCommands } from "#features/clearing/store/clearing-store";
import type { TransferCommands } from "#features/clearing/store/transfer-store";
import type { RegistryPersonCommands } from "#features/registry/store/registry-person-store";
import type { SignedDocumentCommands } from "#features/signing/store/signed-document-store";
import type { FaceListCommands } from "#features/users/store/face-list-store";
import type { UserCommands } from "#features/users/store/user-store";
import type { VerificationCommands } from "#features/verification/store/verification-store";
import type { ListedDocumentCommands } from "#judging/document/store/listed-document-store";
import { messageOf } from "#machine/storage/outage";
import type { OperationRetentionCommands } from "#record/operations/store/operation-retention-store";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { RetentionCommands } from "#record/transactions/store/retention-store";
import type { DestinationCommands } from "#record/webhooks/store/destination-store";
import type { OneShotCommands } from "#record/webhooks/store/one-shot-store";

/** The erasure of a tenant: everything from before `at` is erased. */
export type Erasure = { readonly tenantId: string; readonly at: Date };

/** The commands of {@link erasedParts}. */
export type ErasedStore = Pick<OperationRetentionCommands, "eraseOperations"> &
  Pick<SignedDocumentCommands, "purgeSignedDocuments"> &
  Pick<RegistryPersonCommands, "purgeRegistryPersons"> &
  Pick<ListedDocumentCommands, "eraseListedDocuments"> &
  Pick<ClearingCommands, "eraseClearingTokens" | "eraseClearingCredentials"> &
  Pick<TransferCommands, "eraseTransfers"> &
  Pick<OneShotCommands, "eraseOneShots"> &
  Pick<CaptureCommands, "purgeCaptures" | "purgeCaptureFailures"> &
  Pick<VerificationCommands, "eraseVerifications"> &
  Pick<DestinationCommands, "forgetDestinations">;

export type ErasureDeps = {
  readonly store: ErasedStore &
    Pick<EvidenceCommands, "removeBodies"> &
    Pick<UserCommands, "purgeUsers"> &
    Pick<FaceListCommands, "purgeBlocked">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** One store command removes a limited number of rows. Repeats until it removes none, or the signal aborts. */
export const untilNone = async (remove: () => Promise<number>, signal?: AbortSignal): Promise<void> => {
  do {
    if (signal?.aborted === true) return;
  } while ((await remove()) > 0);
};

/** Removes the rows of a tenant up to and including the moment of its erasure, by a command that removes those before a time. */
const untilErased = (
  { tenantId, at }: Erasure,
  remove: (tenantId: string, before: Date) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> => {
  const after = new Date(at.getTime() + 1);
  return untilNone(() => remove(tenantId, after), signal);
};

/** Removes the measurements of a tenant that an earlier release stored unsealed. */
export const forgetMeasurements = (
  store: Pick<RetentionCommands, "forgetPlainMeasurements">,
  tenantId: string,
): Promise<void> => untilNone(() => store.forgetPlainMeasurements(tenantId));

/**
 * Removes users and blocked faces of erased tenants, and this tenant's operations, signed documents, registry persons, listed documents,
 * verification tokens, clearing credentials, transfers, callbacks, capture sessions, verifications, destinations and bodies of evidence up
 * to the erasure. `erased-tables.ts` has the fate of each table.
 */
export const finishErasure = async (
  deps: ErasureDeps,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => {
  const { store } = deps;
  await runParts({
    users: () => untilNone(store.purgeUsers, signal),
    "blocked faces": () => untilNone(store.purgeBlocked, signal),
    ...erasedParts(store, erasure, signal),
    "bodies of evidence": () => removeErasedBodies(deps, erasure, signal),
  });
};

/** What an erasure leaves, after every other part of it was removed: a sentence for the operator. The tidying of a service tries it again. */
export class ErasureUnfinished extends Error {
  override readonly name = "ErasureUnfinished";
}

/** Parts of an erasure, by what each removes. */
export type ErasureParts = Readonly<Record<string, () => Promise<unknown>>>;

/** Runs each part, also after one that failed. Throws {@link ErasureUnfinished} with the parts that failed; its cause is the first error. */
export const runParts = async (parts: ErasureParts): Promise<void> => {
  const failed = new Map<string, unknown>();
  for (const [part, remove] of Object.entries(parts)) {
    await remove().catch((cause: unknown) => failed.set(part, cause));
  }
  const [cause] = failed.values();
  if (failed.size === 0) return;
  const left = [...failed.keys()].join(", ");
  throw new ErasureUnfinished(
    `The keys are destroyed, and the erasure is not complete: these rows of the tenant are left: ${left} (${reasonOf(cause)}). Run the command again. If it fails again: idem store verify`,
    { cause },
  );
};

const reasonOf = (error: unknown): string => messageOf(error instanceof Failure ? error.cause : error);

/** The parts that a command and the tidying have in common. */
export const erasedParts = (store: ErasedStore, erasure: Erasure, signal?: AbortSignal): ErasureParts => ({
  operations: () => removeErasedOperations(store, erasure, signal),
  "signed documents": () => removeErasedDocuments(store, erasure, signal),
  "registry persons": () => removeErasedPersons(store, erasure, signal),
  "listed documents": () => removeErasedListing(store, erasure, signal),
  "clearing tokens": () => removeErasedTokens(store, erasure, signal),
  transfers: () => removeErasedTransfers(store, erasure, signal),
  callbacks: () => removeErasedCallbacks(store, erasure, signal),
  "capture sessions": () => removeErasedCaptures(store, erasure, signal),
  verifications: () => removeErasedVerifications(store, erasure, signal),
  destinations: () => store.forgetDestinations(erasure.tenantId, erasure.at),
});

/** Removes the operations from before an erasure, with their steps, events and the rows of their images. */
const removeErasedOperations = (
  store: Pick<OperationRetentionCommands, "eraseOperations">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => untilErased(erasure, store.eraseOperations, signal);

/** Removes the kept signed documents from before an erasure, with the rows of their parts. */
const removeErasedDocuments = (
  store: Pick<SignedDocumentCommands, "purgeSignedDocuments">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => untilErased(erasure, store.purgeSignedDocuments, signal);

/** Removes the persons of local civil registries that were imported before an erasure, with their photos. */
const removeErasedPersons = (
  store: Pick<RegistryPersonCommands, "purgeRegistryPersons">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => untilErased(erasure, store.purgeRegistryPersons, signal);

/** Removes the entries of the list of documents from before an erasure: their notes do not open any more. */
const removeErasedListing = (
  store: Pick<ListedDocumentCommands, "eraseListedDocuments">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => untilErased(erasure, store.eraseListedDocuments, signal);

/** Removes the verification tokens and the credentials of pension clearing from before an erasure. */
const removeErasedTokens = async (
  store: Pick<ClearingCommands, "eraseClearingTokens" | "eraseClearingCredentials">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => {
  await untilErased(erasure, store.eraseClearingTokens, signal);
  await untilErased(erasure, store.eraseClearingCredentials, signal);
};

/** Removes the transfers of pension clearing from before an erasure, whatever their state. */
const removeErasedTransfers = (
  store: Pick<TransferCommands, "eraseTransfers">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => untilErased(erasure, store.eraseTransfers, signal);

/** Removes the callbacks of pension clearing from before an erasure, those to come too. */
const removeErasedCallbacks = (
  store: Pick<OneShotCommands, "eraseOneShots">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => untilErased(erasure, store.eraseOneShots, signal);

/** Removes the capture sessions from before an erasure, with their tokens, the rows of their objects and the refusals. */
const removeErasedCaptures = async (
  store: Pick<CaptureCommands, "purgeCaptures" | "purgeCaptureFailures">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => {
  await untilErased(erasure, store.purgeCaptures, signal);
  await untilErased(erasure, store.purgeCaptureFailures, signal);
};

/** Removes the verifications from before an erasure, whatever their state, with the rows of their images. */
const removeErasedVerifications = (
  store: Pick<VerificationCommands, "eraseVerifications">,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => untilErased(erasure, store.eraseVerifications, signal);

/** Removes the bodies of evidence from before an erasure. Receipts stay. */
export const removeErasedBodies = (
  {
    store,
    clock,
    newId,
  }: Pick<ErasureDeps, "clock" | "newId"> & {
    readonly store: Pick<EvidenceCommands, "removeBodies">;
  },
  { tenantId, at }: Erasure,
  signal?: AbortSignal,
): Promise<void> => {
  const after = new Date(at.getTime() + 1);
  return untilNone(() => store.removeBodies(tenantId, after, { id: newId(), at: clock() }), signal);
};

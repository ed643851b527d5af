/**
 * The store as use cases take it: it seals the measurements of every transaction before they reach a table.
 */
import type { CaptureCommands } from "#features/capture/store/capture-store";
import type { ClearingCommands } from "#features/clearing/store/clearing-store";
import type { SignedDocumentCommands } from "#features/signing/store/signed-document-store";
import type { UserCommands } from "#features/users/store/user-store";
import type { VerificationCommands } from "#features/verification/store/verification-store";
import type { LeaseCommands } from "#judging/document/store/lease-store";
import type { ReviewCommands } from "#judging/document/store/review-store";
import type { ValidationCommands } from "#judging/document/store/validation-store";
import type { WaitingCommands } from "#judging/document/store/waiting-store";
import type { Keyring } from "#machine/storage/blobs";
import type { IdempotencyCommands } from "#record/idempotency/store/idempotency-store";
import { makeMeasurementSeal } from "#record/transactions/measurement-seal";
import type { SealedTransaction, TransactionRecord } from "#record/transactions/record";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { Store } from "./store.ts";

/** The commands that write or return the record of a call. */
type RecordCommands = Pick<
  TransactionCommands,
  "recordTransaction" | "findTransaction" | "listTransactions"
> &
  Pick<IdempotencyCommands, "recordAnswered"> &
  Pick<SignedDocumentCommands, "recordSignedDocument"> &
  Pick<ClearingCommands, "recordClearingToken"> &
  Pick<CaptureCommands, "createCapture" | "changeCapture"> &
  Pick<VerificationCommands, "createVerification" | "changeVerification"> &
  Pick<ValidationCommands, "createValidation"> &
  Pick<LeaseCommands, "finishValidation"> &
  Pick<WaitingCommands, "resubmitValidation" | "endValidation"> &
  Pick<ReviewCommands, "endReview"> &
  Pick<UserCommands, "enrolUser" | "recordAttempt" | "replaceTemplate" | "deleteUsers">;

/**
 * The store, with plain records in the commands that write or return them. Made by
 * {@link makeRecordingStore}.
 */
export type RecordingStore = Omit<Store, keyof RecordCommands> & RecordCommands;

/** The type refuses a store command that takes a record and is not listed here. */
export const makeRecordingStore = (store: Store, keyring: Pick<Keyring, "seal" | "open">): RecordingStore => {
  const { seal, open } = makeMeasurementSeal(keyring);
  return {
    ...store,
    recordTransaction: async (record, uses, step) =>
      await store.recordTransaction(await seal(record), uses, step),
    recordAnswered: async (record, uses, step, answer) =>
      await store.recordAnswered(await seal(record), uses, step, answer),
    recordSignedDocument: async (document, blobs, record, step) =>
      await store.recordSignedDocument(document, blobs, await seal(record), step),
    recordClearingToken: async (token, record, step, callback) =>
      await store.recordClearingToken(token, await seal(record), step, callback),
    createCapture: async (row, token, record, step) =>
      await store.createCapture(row, token, await seal(record), step),
    changeCapture: async (change, record, step) =>
      await store.changeCapture(change, record && (await seal(record)), step),
    createVerification: async (row, record, step) =>
      await store.createVerification(row, await seal(record), step),
    changeVerification: async (held, { settled, ...change }, step) =>
      await store.changeVerification(
        held,
        {
          ...change,
          ...(settled && { settled: { ...settled, record: settled.record && (await seal(settled.record)) } }),
        },
        step,
      ),
    findTransaction: async (tenantId, id) => {
      const found = await store.findTransaction(tenantId, id);
      return found && (await open(found));
    },
    listTransactions: async (tenantId, since, after) => {
      const opened: TransactionRecord[] = [];
      // One after the other, because the first reads the tenant's keys for all.
      for (const found of await store.listTransactions(tenantId, since, after))
        opened.push(await open(found));
      return opened;
    },
    enrolUser: async (user, record, uses, step, searchedAt) =>
      await store.enrolUser(user, await seal(record), uses, step, searchedAt),
    recordAttempt: async (attempt, record, uses, step) =>
      await store.recordAttempt(attempt, await seal(record), uses, step),
    replaceTemplate: async (template, record, step, searchedAt) =>
      await store.replaceTemplate(template, await seal(record), step, searchedAt),
    deleteUsers: async (tenantId, names, record, step) =>
      await store.deleteUsers(tenantId, names, await seal(record), step),
    ...makeDocumentCommands(store, seal),
  };
};

type DocumentCommands = Pick<
  RecordingStore,
  "createValidation" | "finishValidation" | "resubmitValidation" | "endValidation" | "endReview"
>;

const makeDocumentCommands = (
  store: Store,
  seal: (record: TransactionRecord) => Promise<SealedTransaction>,
): DocumentCommands => ({
  createValidation: async (validation, blobs, record, step) =>
    await store.createValidation(validation, blobs, await seal(record), step),
  resubmitValidation: async (resubmission, blobs, record, step) =>
    await store.resubmitValidation(resubmission, blobs, await seal(record), step),
  finishValidation: async ({ transaction, ...finish }, step) =>
    await store.finishValidation(
      { ...finish, ...(transaction && { transaction: await seal(transaction) }) },
      step,
    ),
  endValidation: async ({ transaction, ...ending }, step) =>
    await store.endValidation(
      { ...ending, ...(transaction && { transaction: await seal(transaction) }) },
      step,
    ),
  endReview: async (reviewer, id, { transaction, ...end }, step) =>
    await store.endReview(reviewer, id, { ...end, transaction: await seal(transaction) }, step),
});

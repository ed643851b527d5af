import type { WaitingCommands } from "#judging/document/store/waiting-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, blob, noStep, someBytes, transaction } from "#support/storage/sql-sample";

const resubmission = {
  tenantId: "tenant",
  id: "id",
  version: 2,
  sealedInput: someBytes,
  revision: 1,
  at,
  blobIds: ["blob"],
} as const;

export const page = sqlPage<WaitingCommands<SealedTransaction>>("judging/document/store/waiting-store", {
  resubmitValidation: [{ args: [resubmission, [blob], transaction, noStep], when: "of one image" }],
  listWaiting: [{ args: [at, at] }],
  endValidation: [
    { args: [{ tenantId: "tenant", id: "id", revision: 1, decision: "Expired", at, transaction }, noStep] },
  ],
});

import type { CallbackCommands } from "#features/clearing/store/callback-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, jobLease, someBytes, until } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;

const newCallback = { ...owner, id: "id", createdAt: at, sealed: someBytes, dataKeyId: "data key" };

const heldTransfer = { tenantId: "tenant", id: "id", worker: "worker" };

const callbackEnd = { tenantId: "tenant", id: "id", state: "due", failures: 1, log: [], at } as const;

export const page = sqlPage<CallbackCommands>("features/clearing/store/callback-store", {
  leaseCallbacks: [
    { args: [{ ...jobLease, isAlone: true }], when: "alone" },
    { args: [jobLease], when: "beside others" },
  ],
  renewCallback: [{ args: [heldTransfer, until] }],
  returnCallback: [{ args: [heldTransfer, until, true] }],
  endCallbackAttempt: [
    { args: [heldTransfer, { ...callbackEnd, nextAt: until }], when: "before the next attempt" },
    { args: [heldTransfer, { ...callbackEnd, state: "delivered" }], when: "that settles it" },
  ],
  listCallbacks: [
    { args: [owner, 51], when: "of a first page" },
    { args: [owner, 51, newCallback], when: "of a later page" },
  ],
  eraseCallbacks: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
  purgeCallbacks: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
});

import type { OneShotCommands } from "#record/webhooks/store/one-shot-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, jobLease, until } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;
const oneShot = { ...owner, id: "id", createdAt: at };
const heldOneShot = { tenantId: "tenant", id: "id", worker: "worker" };
const oneShotEnd = { tenantId: "tenant", id: "id", state: "due", failures: 1, log: [], at } as const;

export const page = sqlPage<OneShotCommands>("record/webhooks/store/one-shot-store", {
  leaseOneShots: [
    { args: [{ ...jobLease, isAlone: true }], when: "alone" },
    { args: [jobLease], when: "beside others" },
  ],
  renewOneShot: [{ args: [heldOneShot, until] }],
  retryOneShot: [{ args: [heldOneShot, until, true] }],
  endOneShotAttempt: [
    { args: [heldOneShot, { ...oneShotEnd, nextAt: until }], when: "before the next attempt" },
    { args: [heldOneShot, { ...oneShotEnd, state: "delivered" }], when: "that settles it" },
  ],
  listOneShots: [
    { args: [owner, 51], when: "of a first page" },
    { args: [owner, 51, oneShot], when: "of a later page" },
  ],
  eraseOneShots: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
  purgeOneShots: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
});

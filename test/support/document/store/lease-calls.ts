import type { LeaseCommands } from "#judging/document/store/lease-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, claim, noStep, someBytes, transaction, until } from "#support/storage/sql-sample";

const held = { tenantId: "tenant", id: "id", revision: 1, worker: "worker" };

const finished = { ...held, status: "DONE", at, sealedRecord: someBytes, transaction } as const;

const lease = {
  worker: "worker",
  leaseMs: 30_000,
  limit: 10,
  now: at,
  isAlone: false,
  running: ["id"],
  endsLeases: false,
  deathsAllowed: 0,
  deathsMax: 3,
} as const;

const expected = { unlisted: ["number"], velocity: { since: at, eventsMax: 9 } };

export const page = sqlPage<LeaseCommands<SealedTransaction>>("judging/document/store/lease-store", {
  leaseValidations: [
    { args: [lease], when: "if none is poisoned and due", findsNothing: "running" },
    { args: [{ ...lease, endsLeases: true }], when: "after leases have ended, if a poisoned one is due" },
    { args: [{ ...lease, isAlone: true }], when: "of a poisoned one" },
  ],
  renewLease: [{ args: [held, until] }],
  retryValidation: [{ args: [held, until, true] }],
  keepSession: [{ args: [held, someBytes] }],
  finishValidation: [
    {
      args: [{ ...finished, decision: "Approved", claim, velocityEvents: ["hash"], expected }, noStep],
      when: "approved, with the claim of its number and the history that it expects",
      findsNothing: "listed_documents",
    },
    { args: [{ ...finished, decision: "Review" }, noStep], when: "for review" },
  ],
});

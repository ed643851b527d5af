// Calls of the commands of webhooks.
import type { DestinationCommands } from "#record/webhooks/store/destination-store";
import type { OneShotCommands } from "#record/webhooks/store/one-shot-store";
import type { TokenCommands } from "#record/webhooks/store/token-store";
import type { Calls } from "./record.ts";
import { at, jobLease, noStep, someBytes, until } from "./sample.ts";

const owner = { tenantId: "tenant", environment: "test" } as const;
const read = { tenantId: "tenant", id: "id", revision: 1 };
const created = {
  ...owner,
  id: "id",
  name: "name",
  state: "active",
  topics: ["*"],
  isOrdered: false,
  sealedSettings: someBytes,
  createdAt: at,
} as const;

export const destinationCalls: Calls<DestinationCommands> = {
  createDestination: [{ args: [created, 50, noStep] }],
  findDestination: [{ args: [owner, "id"] }],
  findRevision: [{ args: [owner, "id"] }],
  listDestinations: [{ args: [owner] }],
  changeDestination: [{ args: [read, { at, sealedSettings: someBytes }, noStep], when: "of its settings" }],
  removeDestination: [{ args: [read, at, noStep] }],
  listFormerSecrets: [{ args: [at] }],
  forgetDestinations: [{ args: ["tenant", at] }],
};

const name = { tenantId: "tenant", destinationId: "id" };
const claim = { ...name, revision: 1, now: at, holder: "worker", leasedUntil: until };

export const tokenCalls: Calls<TokenCommands> = {
  claimToken: [{ args: [claim], when: "of a token that is due" }],
  keepToken: [
    {
      args: [
        { ...name, holder: "worker", revision: 1 },
        { sealed: someBytes, refreshAt: at, expiresAt: until },
      ],
    },
  ],
  releaseToken: [{ args: [{ ...name, holder: "worker" }] }],
};

const oneShot = { ...owner, id: "id", createdAt: at };
const heldOneShot = { tenantId: "tenant", id: "id", worker: "worker" };
const oneShotEnd = { tenantId: "tenant", id: "id", state: "due", failures: 1, log: [], at } as const;

export const oneShotCalls: Calls<OneShotCommands> = {
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
};

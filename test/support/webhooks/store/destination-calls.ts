import type { DestinationCommands } from "#record/webhooks/store/destination-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes } from "#support/storage/sql-sample";

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

export const page = sqlPage<DestinationCommands>("record/webhooks/store/destination-store", {
  createDestination: [{ args: [created, 50, noStep] }],
  findDestination: [{ args: [owner, "id"] }],
  findRevision: [{ args: [owner, "id"] }],
  listDestinations: [{ args: [owner] }],
  changeDestination: [{ args: [read, { at, sealedSettings: someBytes }, noStep], when: "of its settings" }],
  removeDestination: [{ args: [read, at, noStep] }],
  listFormerSecrets: [{ args: [at] }],
  forgetDestinations: [{ args: ["tenant", at] }],
});

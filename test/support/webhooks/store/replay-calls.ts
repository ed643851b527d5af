import type { ReplayCommands } from "#record/webhooks/store/replay-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, until } from "#support/storage/sql-sample";
import { anOperationStep } from "#support/storage/suite";

const key = { tenantId: "tenant", destinationId: "destination", eventId: "event" };

const range = { tenantId: "tenant", destinationId: "destination", from: at, to: until };

const evidence = { id: "evidence", kind: "kind", at, body: {} };

export const page = sqlPage<ReplayCommands>("record/webhooks/store/replay-store", {
  holdDeliveries: [{ args: [key], when: "up to 1,000 deliveries" }],
  releaseDeliveries: [{ args: [range, at, evidence], when: "up to 10,000 deliveries" }],
  replayDeliveries: [{ args: [range, ["failed"], at, evidence], when: "up to 10,000 deliveries" }],
  countDeliveries: [{ args: [range, ["failed"], at], when: "of a range" }],
  replayEvent: [{ args: [key, at, evidence], when: "at one destination" }],
  releaseRemoved: [{ args: [], when: "up to 1,000 deliveries" }],
  addTestEvent: [{ args: ["tenant", anOperationStep("operation", { onlyTo: "destination" })] }],
});

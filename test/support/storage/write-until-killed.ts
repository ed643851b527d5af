// Writes to a store and a blob folder as fast as they answer, with eight writers at once, and prints the id
// of every acknowledged write until it is killed. Beside them it ends the deliveries of the events, as a
// worker does. Argument: the folder of idem.sqlite and blobs/.

import { randomBytes, randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "#app/store";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { aDestination, aLease, anAttempt } from "../webhooks/deliveries.ts";
import { anOperationStep } from "./suite.ts";

const folder = process.argv[2] ?? "";
const store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
const objects = makeDiskObjects(join(folder, "blobs"));
// The tenant of the previously killed process, from the second run on.
const { id: tenantId } = await store.createTenant({
  id: randomUUID(),
  name: "killed",
  createdAt: new Date(),
});
const owner = { tenantId, environment: "test" as const };
const destination = (await store.listDestinations(owner))[0] ?? aDestination(tenantId, { inFlightMax: 64 });
if (!("revision" in destination)) await store.createDestination(destination, 1, { evidence: [] });

/** Writes everything that the start of a validation writes: the object first, then all rows in one commit. */
const write = async (): Promise<string> => {
  const [id, blobId, at] = [randomUUID(), randomUUID(), new Date()];
  await objects.write({ tenantId, id: blobId }, randomBytes(200));
  const common = { tenantId, environment: "test" as const };
  await store.createValidation(
    { ...common, id, version: 2, createdAt: at, sealedInput: randomBytes(300), blobIds: [blobId] },
    [{ id: blobId, tenantId, kind: "front", bytes: 200, createdAt: at }],
    {
      ...common,
      id,
      keyId: id,
      endpoint: "start",
      at,
      result: null,
      sealedMeasurements: randomBytes(1500),
      policyVersion: "1",
      models: {},
      tokenHashes: [],
    },
    {
      operation: anOperationStep(id, { at }),
      evidence: [{ id, kind: "started", at, body: { blobId } }],
    },
  );
  return `written ${tenantId} ${id} ${blobId}\n`;
};

/** Leases what is due, and ends it as delivered. Returns the ended deliveries. */
const deliver = async (): Promise<string> => {
  const now = new Date();
  const worker = "killed";
  const { deliveries } = await store.leaseDeliveries(aLease({ worker, now, limit: 16, inFlightMax: 64 }));
  const attempts = deliveries.map((delivery) => anAttempt(delivery, { at: now }));
  const lost = await store.finishDeliveries({ worker, at: now, attempts, retries: [], destinations: [] });
  const names = new Set(lost.map(({ eventId }) => eventId));
  return attempts
    .filter(({ eventId }) => !names.has(eventId))
    .map((one) => `delivered ${one.tenantId} ${one.destinationId} ${one.eventId}\n`)
    .join("");
};

const repeat = async (act: () => Promise<string>): Promise<never> => {
  for (;;) {
    // Synchronous, so no acknowledged write waits in a buffer of a process that is about to die.
    writeSync(1, await act());
  }
};
await Promise.all([...Array.from({ length: 8 }, () => repeat(write)), repeat(deliver)]);

// Writes to a store and a blob folder as fast as they answer, with eight writers at once, and prints the id
// of every acknowledged write until it is killed. Argument: the folder of idem.sqlite and blobs/.

import { randomBytes, randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { join } from "node:path";
import { openSqliteStore } from "#app/store";
import { makeDiskObjects } from "../disk-objects.ts";
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
  return `${tenantId} ${id} ${blobId}\n`;
};

const writer = async (): Promise<never> => {
  for (;;) {
    // Synchronous, so no acknowledged write waits in a buffer of a process that is about to die.
    writeSync(1, await write());
  }
};
await Promise.all(Array.from({ length: 8 }, writer));

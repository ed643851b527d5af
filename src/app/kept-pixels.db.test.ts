import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { assetTypes } from "#contract/event";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { makeKeepPixels } from "#imaging/strip/keep-pixels";
import { gradient, source } from "#imaging/testing/images";
import { openTrackedStore } from "./testing/tracked-store.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const keep = makeKeepPixels(imaging);
const folder = await mkdtemp(path.join(tmpdir(), "idem-pixels-"));
const { store, operations, recordCall } = await openTrackedStore(folder, {
  keepPixels: (bytes) => keep({ bytes }),
});
const tenantId = randomUUID();
await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const secret = "Secret-of-a-person";

const imageWith = async (text: string): Promise<Buffer> =>
  await source(gradient(40, 30))
    .jpeg()
    .withMetadata({ exif: { IFD0: { ImageDescription: text, Make: text } } })
    .toBuffer();

it.each(assetTypes)("an operation keeps the pixels alone of an image: %s", async (type) => {
  const bytes = await imageWith(secret);
  expect(bytes.includes(secret)).toBe(true);
  const operationId = randomUUID();
  const caller = { tenantId, keyId: randomUUID(), environment: "live" } as const;
  const call = { caller, transactionId: randomUUID(), receivedAt: new Date(), tracking: { operationId } };
  const record = { endpoint: "identity", result: 0, measurements: null, policyVersion: "1" } as const;
  await recordCall(call, { ...record, story: { images: { [type]: bytes } } });
  const [row] = operations.query("select * from assets where tenant_id = ? and type = ?", tenantId, type);
  const kept = Buffer.from(await operations.imageOf(tenantId, { id: String(row?.["id"]), type }));
  expect(kept.includes(secret)).toBe(false);
  const pixels = async (file: Buffer) => Buffer.from((await imaging.open(file)).data);
  expect((await pixels(kept)).equals(await pixels(bytes))).toBe(true);
});

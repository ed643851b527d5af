import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBundleCollector } from "#app/evidence-bundle";
import { listSealFaults } from "#app/rights";
import { imageOf } from "#support/face/images";
import { makeCaller, type OperationHarness, openOperationHarness } from "#support/operations/harness";

let harness: OperationHarness;
let tenantId: string;
let call: ReturnType<typeof makeCaller>;

beforeAll(async () => {
  harness = await openOperationHarness();
  const key = new Uint8Array(32).fill(3);
  await harness.store.beginRights(key, key, harness.now());
  await harness.store.holdRights(key);
  tenantId = await harness.newTenant();
  call = makeCaller(harness, tenantId);
});
afterAll(() => harness.close());

const own = imageOf("franck_02221.jpg");
const foreign = imageOf("walter2_crop.jpg");

/** An operation that keeps this image. */
const keep = async (image: Uint8Array) => {
  const operationId = randomUUID();
  const imageBuffer = Buffer.from(image).toString("base64");
  const { status } = await call("POST", "/services/evaluatePassiveLiveness", {
    imageBuffer,
    tracking: { operationId },
  });
  expect(status).toBe(200);
  const [{ id, url }] = (await show(operationId)).body.assets;
  return { operationId, id: String(id), link: String(url).replace("https://idem.example", "") };
};

const show = (operationId: string) => call("GET", `/operator/operations/${operationId}`);
const get = (url: string) => harness.server.app.inject({ method: "GET", url });
const collect = (operation: string, anyway: boolean) =>
  openBundleCollector({ ...harness, headFile: join(harness.folder, "heads.jsonl"), roots: undefined })({
    owner: { tenantId, environment: "test", tenantName: "Año Nuevo" },
    operation,
    at: harness.now(),
    withImages: true,
    anyway,
  });
const faults = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { place, fault } of listSealFaults(harness.store)) found.push(`${place} ${fault}`);
  return found;
};

it("an image whose row names the object of another operation leaves by no link and in no bundle, and is named", async () => {
  const mine = await keep(own);
  const victim = await keep(foreign);
  expect((await get(mine.link)).rawPayload.equals(Buffer.from(own))).toBe(true);
  expect(await faults()).toEqual([]);
  harness.changeRows(
    `update assets set blob_id = (select blob_id from assets where id = '${victim.id}') where id = '${mine.id}'`,
  );
  const answer = await get(mine.link);
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toMatchObject({ failure: "stored_damaged" });
  // Without a signed link the image is unknown, as every other is.
  expect((await get(mine.link.replace(/.$/u, (last) => (last === "0" ? "1" : "0")))).statusCode).toBe(404);
  expect((await show(mine.operationId)).body.assets).toEqual([
    expect.objectContaining({ id: mine.id, url: null, revokedAt: null }),
  ]);
  expect(await faults()).toEqual([`assets ${tenantId} ${mine.id} changed`]);
  await expect(collect(mine.operationId, false)).rejects.toMatchObject({ code: "evidence_damaged" });
  const { content, attachments } = await collect(mine.operationId, true);
  expect(content.images).toMatchObject([{ id: mine.id, sha256: null, attachment: null }]);
  expect(attachments.filter(({ mediaType }) => mediaType.startsWith("image/"))).toEqual([]);
  expect((await get(victim.link)).rawPayload.equals(Buffer.from(foreign))).toBe(true);
});

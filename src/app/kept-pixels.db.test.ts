import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type AssetType, assetTypes } from "#contract/event";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makeKeepPixels } from "#machine/imaging/strip/keep-pixels";
import { makeLinkToAsset } from "#record/operations/assets/link";
import { openTrackedStore } from "#support/app/tracked-store";
import { gradient, source } from "#support/imaging/images";
import { openTokens } from "#support/tokens/open-tokens";
import { openBundleCollector } from "./evidence-bundle.ts";
import { openOperations } from "./tracking.ts";

type TrackedStore = Awaited<ReturnType<typeof openTrackedStore>>;

const imaging = makeImaging({ limits: defaultImagingLimits });
const keep = makeKeepPixels(imaging);
const folder = await mkdtemp(path.join(tmpdir(), "idem-pixels-"));
const engine = { keepPixels: (bytes: Uint8Array) => keep({ bytes }) };
const present = await openTrackedStore(folder, engine);
const { store, operations } = present;
/** A store whose images an earlier release kept as they were sent. */
const oldFolder = await mkdtemp(path.join(tmpdir(), "idem-pixels-"));
const old = await openTrackedStore(oldFolder);
const tenantId = randomUUID();
for (const one of [store, old.store])
  await one.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
afterAll(async () => {
  await store.close();
  await old.store.close();
  for (const one of [folder, oldFolder]) await rm(one, { recursive: true });
});

const secret = "Secret-of-a-person";

const imageWith = async (text: string): Promise<Buffer> =>
  await source(gradient(40, 30))
    .jpeg()
    .withMetadata({ exif: { IFD0: { ImageDescription: text, Make: text } } })
    .toBuffer();

/** A call of an operation that sends the image; returns the operation. */
const send = async (
  { recordCall }: Pick<TrackedStore, "recordCall">,
  type: AssetType,
  bytes: Uint8Array,
): Promise<string> => {
  const operationId = randomUUID();
  const caller = { tenantId, keyId: randomUUID(), environment: "live" } as const;
  const call = { caller, transactionId: randomUUID(), receivedAt: new Date(), tracking: { operationId } };
  const record = { endpoint: "identity", result: 0, measurements: null, policyVersion: "1" } as const;
  await recordCall(call, { ...record, operationDetails: { images: { [type]: bytes } } });
  return operationId;
};

const assetOf = ({ operations: { query } }: Pick<TrackedStore, "operations">, operationId: string) =>
  String(query("select id from assets where operation_id = ?", operationId)[0]?.["id"]);

const pixels = async (file: Uint8Array) => Buffer.from((await imaging.open(file)).data);

const expectPixelsAlone = async (left: Uint8Array, sent: Uint8Array): Promise<void> => {
  expect(Buffer.from(left).includes(secret)).toBe(false);
  expect((await pixels(left)).equals(await pixels(sent))).toBe(true);
  expect(Buffer.from(await keep({ bytes: left })).equals(Buffer.from(left))).toBe(true);
};

it.each(assetTypes)("an operation keeps the pixels alone of an image: %s", async (type) => {
  const bytes = await imageWith(secret);
  expect(bytes.includes(secret)).toBe(true);
  const operationId = await send(present, type, bytes);
  const kept = await operations.imageOf(tenantId, { id: assetOf({ operations }, operationId), type });
  await expectPixelsAlone(kept, bytes);
});

describe("an image that an earlier release kept as it was sent", () => {
  it("leaves through its link as pixels alone", async () => {
    const bytes = await imageWith(secret);
    const operationId = await send(old, "selfie", bytes);
    const linkToAsset = makeLinkToAsset({ ...old, baseUrl: () => "", linkMs: 60_000 });
    const link = new URL(
      await linkToAsset({ tenantId, id: assetOf(old, operationId) }, new Date()),
      "https://idem.example",
    );
    const { openToken } = await openTokens();
    const { readAsset } = openOperations({
      config: {
        operations: {
          expiresAfterMs: 60_000,
          keptMs: 60_000,
          imagesKeptMs: 60_000,
          vendor: "idem",
          assetLinkMs: 60_000,
        },
      },
      storage: old,
      engine,
      openToken,
      recordCall: old.recordCall,
      linkToAsset,
      clock: () => new Date(),
      report: (_component, note, error) => {
        throw new Error(note, { cause: error });
      },
    });
    const [expires, signature] = [link.searchParams.get("expires"), link.searchParams.get("signature")];
    const answer = await readAsset?.({
      id: path.basename(link.pathname),
      expires: expires ?? "",
      signature: signature ?? "",
    });
    expect(answer?.contentType).toBe("image/jpeg");
    await expectPixelsAlone(answer?.bytes ?? new Uint8Array(), bytes);
  });

  it("leaves in an evidence bundle as pixels alone, with the hash of what leaves", async () => {
    const bytes = await imageWith(secret);
    const operation = await send(old, "selfie", bytes);
    const collect = openBundleCollector({
      ...old,
      ...engine,
      headFile: path.join(oldFolder, "heads.jsonl"),
      roots: undefined,
    });
    const owner = { tenantId, environment: "live", tenantName: "a" } as const;
    const request = { owner, operation, at: new Date(), withImages: true, anyway: false };
    const { content, attachments } = await collect(request);
    const [image] = content.images;
    const left = attachments.find(({ name }) => name === image?.attachment)?.bytes ?? new Uint8Array();
    await expectPixelsAlone(left, bytes);
    expect(image?.sha256).toBe(createHash("sha256").update(left).digest("hex"));
  });
});

import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CaptureParts, openCapture } from "#app/capture";
import { makeRecordingStore } from "#app/recording-store";
import { eraseTenant } from "#app/storage";
import { openTracking } from "#app/tracking";
import { pieceBytesMax } from "#contract/capture";
import { type CapturePolicy, defaultCapturePolicy } from "#features/capture/policy";
import { writeContainer } from "#judging/face/challenge/write-container";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { createTokenKey } from "#trust/tokens/keys";
import { openStoreHere } from "../app/store-here.ts";
import { makePageKey } from "../face/challenge/captures.ts";
import { startServer } from "../http/harness.ts";
import { hashOf } from "../imaging/hash-of.ts";

/** Tests of calls have bytes that are no image. */
const asSent = { keepPixels: async (bytes: Uint8Array) => bytes };

const dayMs = 86_400_000;
const operations = {
  expiresAfterMs: dayMs,
  keptMs: dayMs,
  imagesKeptMs: dayMs,
  vendor: "idem",
  assetLinkMs: 1000,
};

export const bankOrigin = "https://bank.example";
export const ownOrigin = "https://idem.example";

/** The smallest bytes that begin as a JPEG: no engine decodes them in these tests. */
export const jpeg = (text = "frame"): Uint8Array =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from(text)]);

const baseUrl = (): string => ownOrigin;

const config = {
  capture: { sessionMs: 1_800_000, keptMs: dayMs, faceBytesMax: 2_097_152, consentFile: undefined },
  images: { bytesMax: 4_000_000 },
  /** Two captures are judged at once. */
  inference: { workers: 4 },
} as const;

type Judges = Pick<CaptureParts, "judgeFace" | "judgeDocumentOf">;

/** A store on the disk with its keys, whose clock a test moves. */
const openTestStorage = async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-capture-"));
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const sealedStore = await openStoreHere({ path: join(folder, "idem.sqlite") });
  const keyring = makeKeyring({ store: sealedStore, masters: [masterKeyOf(randomBytes(32))], now });
  const store = makeRecordingStore(sealedStore, keyring);
  const blobs = makeBlobs(makeDiskObjects(join(folder, "blobs")), keyring, sealedStore);
  const close = async (): Promise<void> => {
    await store.close();
    await rm(folder, { recursive: true });
  };
  return { clock, now, sealedStore, keyring, store, blobs, close };
};

/** The storage of a harness; that of another deployment takes its place in tests of whole stores. */
export type CaptureStorage = Awaited<ReturnType<typeof openTestStorage>>;

type HarnessChange = {
  /** Absent: a storage of its own. */
  readonly given?: CaptureStorage;
  readonly policy?: CapturePolicy;
};

type TestServer = ReturnType<typeof startServer>["server"];

/** Sends a request to the server, without a network. */
const makeCall =
  ({ app }: TestServer, network: { readonly address?: string }) =>
  async (method: "GET" | "POST", url: string, headers: Readonly<Record<string, string>>, body?: unknown) => {
    const answer = await app.inject({
      method,
      url,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(network.address !== undefined && { remoteAddress: network.address }),
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: answer.json() };
  };

const makeNewTenant =
  ({ store, now }: Pick<CaptureStorage, "store" | "now">) =>
  async (): Promise<string> => {
    const id = randomUUID();
    await store.createTenant({ id, name: id, createdAt: now() });
    return id;
  };

/** Capture sessions behind a whole server, on a real store. The engine is the caller's. */
export const openCaptureHarness = async (
  judges: Judges,
  { given, policy = defaultCapturePolicy }: HarnessChange = {},
) => {
  const storage = given ?? (await openTestStorage());
  const { clock, now, sealedStore, keyring, store, blobs } = storage;
  const { trackCall } = openTracking({ operations }, { keyring, blobs }, baseUrl, asSent);
  const tokenKey = await createTokenKey(now());
  const { module } = openCapture({
    storage: { store, keyring, blobs },
    config,
    level: "passive",
    policy,
    baseUrl,
    clock: now,
    trackCall,
    tokenKey: () => tokenKey,
    ...judges,
  });
  const server = startServer({
    endpoints: module.endpoints ?? [],
    ...(module.findPage && { findPage: module.findPage }),
    clock: now,
  });
  const newTenant = makeNewTenant(storage);
  const tenantId = await newTenant();
  const key = server.makeKey({ tenantId });
  /** Where the calls come from. */
  const network: { address?: string } = {};
  const call = makeCall(server.server, network);
  return {
    ...server,
    store,
    keyring,
    tokenKey,
    tenantId,
    newTenant,
    clock,
    network,
    tidying: module.tidying ?? [],
    byKey: (method: "GET" | "POST", path: string, body?: unknown, ofKey = key) =>
      call(method, path, { "x-api-key": ofKey }, body),
    byPage: (token: string, method: "GET" | "POST", path: string, body?: unknown, origin = bankOrigin) =>
      call(method, `/capture/v1/page${path}`, { authorization: `Bearer ${token}`, origin }, body),
    erase: (id: string) => eraseTenant(sealedStore, id),
    close: async (): Promise<void> => {
      await server.server.app.close();
      await storage.close();
    },
  };
};

export type CaptureHarness = Awaited<ReturnType<typeof openCaptureHarness>>;

/** A page as a browser is one: its key, and the steps up to an image. */
export const openPageOf = async (
  harness: Pick<CaptureHarness, "byPage" | "byKey">,
  asked: Readonly<Record<string, unknown>> = {},
) => {
  const created = await harness.byKey("POST", "/capture/v1/sessions", {
    steps: ["face"],
    origin: bankOrigin,
    ...asked,
  });
  const { token, sessionId, operationId } = created.body;
  const pageKey = await makePageKey();
  await harness.byPage(token, "POST", "/open", { pageKey: pageKey.publicKey });
  const upload = async (step: string, bytes: Uint8Array, side?: string) => {
    const sha256 = hashOf(bytes);
    const announced = { step, bytes: bytes.length, sha256, source: "camera", ...(side && { side }) };
    const begun = await harness.byPage(token, "POST", "/uploads", announced);
    if (begun.status !== 200) return begun;
    const { uploadId } = begun.body;
    for (let offset = 0; offset < bytes.length; offset += pieceBytesMax) {
      const data = Buffer.from(bytes.subarray(offset, offset + pieceBytesMax)).toString("base64");
      await harness.byPage(token, "POST", `/uploads/${uploadId}/pieces`, { offset, data });
    }
    return await harness.byPage(token, "POST", `/uploads/${uploadId}/finish`, {});
  };
  return {
    token,
    sessionId,
    operationId,
    pageKey,
    upload,
    consent: () => harness.byPage(token, "POST", "/consent", { version: "idem-1", accepted: true }),
    /** A signed container of one frame. */
    container: (frame: Uint8Array = jpeg(randomUUID()), challenge = "") =>
      writeContainer({
        challenge,
        key: pageKey,
        frames: [{ step: -1, index: 0, capturedMs: 0, jpeg: frame }],
      }),
  };
};

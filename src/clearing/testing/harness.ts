import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClearingParts, openClearing } from "#app/clearing";
import { makeRecordingStore } from "#app/recording-store";
import { eraseTenant } from "#app/storage";
import { openSqliteStore } from "#app/store";
import { openTracking } from "#app/tracking";
import { type VerificationStatus, verificationCode } from "#contract/verification-code";
import type { VerificationRecord } from "#document/decision/verification-record";
import { makeSealing } from "#document/validation/sealed";
import { defaultFacePolicy } from "#face/policy";
import type { FaceDeps } from "#face/service";
import { startServer } from "#http/testing/harness";
import { makeDiskObjects } from "#storage/disk-objects";
import { makeKeyring } from "#storage/keyring";
import { masterKeyOf } from "#storage/master-key";
import { makeBlobs } from "#storage/sealed-blobs";
import { tokenAgeMs } from "#tokens/testing/open-tokens";
import { makeHashAuthentication } from "#transactions/authentication-hash";
import type { TransactionRecord } from "#transactions/record";
import { stepOf } from "#transactions/record-call";

type Environment = "live" | "test";

/** An image as far as a hash shows: its bytes are compared, and never decoded. */
export const anImage = (): Uint8Array => new Uint8Array(randomBytes(64));

/** The faces of a test that compares none: the engine is never asked. */
const noFaces: FaceDeps = {
  engine: { measure: () => Promise.reject(new Error("A test asked the engine")) },
  policy: defaultFacePolicy,
  bestImages: { uses: "operation", ageMs: tokenAgeMs },
  onError: (note, error) => {
    throw new Error(note, { cause: error });
  },
};

const person = {
  firstName: "ANNA MARÍA <b>",
  lastName: "ERIKSSON",
  nationality: "CHL",
  sex: "F",
  dateOfBirth: "1974-08-12",
  yearOfBirth: "1974",
  idNumber: "12345678-5",
};

const recordOf = (status: VerificationStatus): VerificationRecord => ({
  status,
  reason: null,
  reasonCode: null,
  otherReasonCodes: [],
  decidedAt: "2026-11-21T09:30:04.000Z",
  document: { type: "ID_CARD", country: "CHL", number: "F12345678", issued: null, expires: null },
  person,
});

/** Pension clearing behind a whole server, on a real store. */
export const openClearingHarness = async (
  change: Partial<Pick<ClearingParts, "faceService" | "signCertificate" | "baseUrl">> & {
    readonly settings?: Partial<ClearingParts["config"]["clearing"]>;
  } = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), "idem-clearing-"));
  const clock = { aheadMs: 0 };
  const now = (): Date => new Date(Date.now() + clock.aheadMs);
  const sealedStore = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  const keyring = makeKeyring({ store: sealedStore, masters: [masterKeyOf(randomBytes(32))], now });
  const store = makeRecordingStore(sealedStore, keyring);
  const blobs = makeBlobs(makeDiskObjects(join(folder, "blobs")), keyring);
  const operations = {
    expiresAfterMs: 86_400_000,
    keptMs: 86_400_000,
    imagesKeptMs: 86_400_000,
    vendor: "idem",
    assetLinkMs: 1000,
  };
  const { trackCall } = openTracking({ operations }, { keyring, blobs }, () => "https://idem.example");
  const hashAuthentication = makeHashAuthentication(keyring);
  const { settings, ...parts } = change;
  const { module, issueToken } = openClearing({
    storage: { store, keyring, blobs },
    config: {
      clearing: { tokenMs: 86_400_000, usesMax: 10, provider: "Verificadora de Ejemplo SpA", ...settings },
    },
    hashAuthentication,
    baseUrl: () => "https://idem.example",
    clock: now,
    faceService: noFaces,
    signCertificate: undefined,
    ...parts,
  });
  const harness = startServer({ endpoints: module.endpoints ?? [], clock: now });
  const newTenant = async (): Promise<string> => {
    const id = randomUUID();
    await store.createTenant({ id, name: id, createdAt: now() });
    return id;
  };
  const tenantId = await newTenant();
  const sealing = makeSealing(keyring);

  type Owner = { readonly tenantId?: string; readonly environment?: Environment };
  const stepOfCall = async (
    of: Required<Owner>,
    transactionId: string,
    endpoint: string,
    { operation, at, selfie }: { operation: string; at: Date; selfie?: Uint8Array | undefined },
  ) =>
    stepOf({
      operation: await trackCall(
        {
          caller: { ...of, keyId: "key" },
          transactionId,
          receivedAt: at,
          tracking: { operationId: operation },
        },
        endpoint,
        { images: { ...(selfie && { selfie }) } },
      ),
    });

  /** An identity call as the face module records it. */
  const identify = async ({
    reference,
    operation,
    selfie,
    tenantId: owner = tenantId,
    environment = "test",
    ...facts
  }: Owner &
    Partial<Pick<TransactionRecord, "endpoint" | "result">> & {
      readonly reference?: Uint8Array;
      readonly operation?: string;
      readonly selfie?: Uint8Array;
    } = {}): Promise<string> => {
    const hashes = reference && [createHash("sha256").update(reference).digest("hex")];
    const record: TransactionRecord = {
      id: randomUUID(),
      tenantId: owner,
      keyId: "key",
      environment,
      endpoint: "identity",
      at: now(),
      result: { facial: 3, liveness: 3 },
      measurements: {
        comparison: { similarity: 0.99214232, falseMatchRate: 0.000001 },
        ...(hashes && { imageHashes: hashes }),
      },
      policyVersion: "faces-1",
      models: { recogniser: "5e".repeat(32) },
      tokenHashes: ["ab".repeat(32)],
      ...facts,
    };
    const of = { tenantId: owner, environment };
    const step =
      operation === undefined
        ? stepOf()
        : await stepOfCall(of, record.id, "identity", { operation, at: record.at, selfie });
    await store.recordTransaction(record, [], step);
    return record.id;
  };

  /** A validation that was decided, as the document module stores it. */
  const validate = async ({
    images = [anImage()],
    status = "Approved",
    operation,
    tenantId: owner = tenantId,
    environment = "test",
  }: Owner & {
    readonly images?: readonly Uint8Array[];
    readonly status?: VerificationStatus;
    readonly operation?: string;
  } = {}): Promise<string> => {
    const of = { tenantId: owner, environment };
    const [id, call] = [randomUUID(), randomUUID()];
    const at = now();
    const stored = [];
    for (const image of images) {
      const { id: blob, bytes } = await blobs.put(owner, image);
      stored.push({ id: blob, tenantId: owner, kind: "document-front", bytes, createdAt: at });
    }
    const step =
      operation === undefined ? stepOf() : await stepOfCall(of, call, "startValidation", { operation, at });
    const input = {
      keyId: "key",
      country: "CHL",
      type: "ID_CARD" as const,
      merchantReference: null,
      frontBlobId: stored[0]?.id ?? randomUUID(),
      backBlobId: stored[1]?.id ?? null,
      ...(step.operation && { operation: { id: step.operation.operationId, call, assets: [] } }),
    };
    const record = {
      id: call,
      tenantId: owner,
      keyId: "key",
      environment,
      endpoint: "startValidation",
      at,
      result: {},
      measurements: null,
      policyVersion: "documents-1",
      models: {},
      tokenHashes: [],
    };
    await store.createValidation(
      {
        id,
        ...of,
        version: 2,
        createdAt: at,
        sealedInput: await sealing.sealInput({ tenantId: owner, id }, input),
        blobIds: stored.map((blob) => blob.id),
      },
      stored,
      record,
      step,
    );
    if (status !== "Submitted") await decide(of, id, status);
    return id;
  };

  const decide = async (of: Required<Owner>, id: string, status: VerificationStatus): Promise<void> => {
    const lease = { worker: randomUUID(), limit: 50, leaseMs: 60_000, now: now() };
    await store.leaseValidations({
      ...lease,
      isAlone: false,
      running: [],
      endsLeases: true,
      loneDeathsAllowed: 3,
      loneDeathsMax: 3,
    });
    await store.finishValidation(
      {
        tenantId: of.tenantId,
        id,
        revision: 0,
        worker: lease.worker,
        status: "DONE",
        at: now(),
        ...(status === "Approved" || status === "Declined" || status === "Resubmission" || status === "Review"
          ? { decision: status }
          : {}),
        sealedRecord: await sealing.sealRecord({ tenantId: of.tenantId, id }, recordOf(status)),
      },
      stepOf(),
    );
  };

  const callerOf = (owner: Owner & { readonly scopes?: readonly "clearing"[] } = {}) => {
    const of = { tenantId: owner.tenantId ?? tenantId, environment: owner.environment ?? "test" };
    const key = harness.makeKey({ ...of, ...(owner.scopes && { scopes: owner.scopes }) });
    const verify = async (transactionId: string, scanReference: string, name = "clearing") => {
      const answer = await harness.server.app.inject({
        method: "POST",
        url: `/services/${name}/${transactionId}/verify`,
        headers: { "x-api-key": key, "content-type": "application/json" },
        payload: JSON.stringify({ scanReference }),
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    return { key, verify };
  };

  /** Loads a certificate; `query` fields that are undefined are left out. */
  const load = async (
    transactionId: string,
    query: Readonly<Record<string, string | undefined>>,
    {
      headers = {},
      name = "clearing",
      remoteAddress = "192.0.2.1",
    }: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly name?: string;
      readonly remoteAddress?: string;
    } = {},
  ) => {
    const given = Object.entries(query).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value] as const],
    );
    const url = `/services/${name}/${transactionId}/certificate?${new URLSearchParams([...given].map(([k, v]) => [k, v])).toString()}`;
    return await harness.server.app.inject({ url, headers: { ...headers }, remoteAddress });
  };

  const close = async (): Promise<void> => {
    await harness.server.app.close();
    await store.close();
    await rm(folder, { recursive: true });
  };
  return {
    ...harness,
    store,
    blobs,
    keyring,
    tenantId,
    newTenant,
    clock,
    now,
    issueToken,
    identify,
    validate,
    callerOf,
    load,
    erase: (id: string) => eraseTenant(sealedStore, id),
    approvedCode: verificationCode.Approved,
    close,
  };
};

export type ClearingHarness = Awaited<ReturnType<typeof openClearingHarness>>;

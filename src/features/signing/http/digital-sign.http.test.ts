import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeRecordingStore } from "#app/recording-store";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import {
  isPositive,
  makeCheckAuthentication,
  makeHashAuthentication,
} from "#record/transactions/authentication-hash";
import type { TransactionRecord } from "#record/transactions/record";
import { makeRecordCall, stepOf } from "#record/transactions/record-call";
import { openStoreHere } from "#support/app/store-here";
import { startServer } from "#support/http/harness";
import { untracked } from "#support/transactions/untracked";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { makeDigitalSign } from "../documents/digital-sign.ts";
import { makeExtendDocuments } from "../documents/extend-documents.ts";
import { makeKeepDocument } from "../documents/keep-document.ts";
import { makeReadAuthentication } from "../documents/read-authentication.ts";
import type { SignDocument } from "../evidence/sign-document.ts";
import { signingRevision } from "../evidence/signing-revision.ts";
import { digitalSignEndpoint } from "./digital-sign.endpoint.ts";
import { signedDocumentEndpoints } from "./signed-document.endpoint.ts";

const folder = await mkdtemp(path.join(tmpdir(), "idem-sign-"));
const sealedStore = await openStoreHere({ path: path.join(folder, "idem.sqlite") });
const keyring = makeKeyring({
  store: sealedStore,
  masters: [masterKeyOf(randomBytes(32))],
  now: () => new Date(),
});
const store = makeRecordingStore(sealedStore, keyring);
const blobs = makeBlobs(makeDiskObjects(folder), keyring, sealedStore);
const tenants = [randomUUID(), randomUUID()] as const;
for (const id of tenants) await store.createTenant({ id, name: id, createdAt: new Date() });
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const clock = { aheadMs: 0 };
const now = (): Date => new Date(Date.now() + clock.aheadMs);
const hashAuthentication = makeHashAuthentication(keyring);
const [dayMs, minuteMs, bytesMax] = [86_400_000, 60_000, 2_000_000];
const keptMs = 3650 * dayMs;
const sha256Of = (...parts: readonly Uint8Array[]): string =>
  createHash("sha256").update(Buffer.concat(parts)).digest("hex");

/** Appends the statement instead of a signature: the port as the endpoint sees it. */
const signDocument: SignDocument = (file, instruction) => {
  const sent = { sha256: sha256Of(file), bytes: file.length };
  const { revision, statementSha256 } = signingRevision(
    instruction,
    { sent, pageCount: 3 },
    new Uint8Array(),
  );
  const visible = Buffer.from(JSON.stringify("visible" in revision ? revision.visible : null));
  const parts = [file, ...revision.attachments.map(({ bytes }) => bytes), visible];
  return Promise.resolve({
    parts,
    level: "B-LTA",
    signer: "a signer",
    fieldName: "Signature1",
    document: { sent },
    statementSha256,
    sha256: sha256Of(...parts),
    provableUntil: new Date(now().getTime() + 1825 * dayMs),
  });
};

const serve = (isKeeping: boolean) =>
  startServer({
    endpoints: [
      digitalSignEndpoint(
        makeDigitalSign({
          readAuthentication: makeReadAuthentication({
            findTransaction: store.findTransaction,
            isPositive,
            checkAuthentication: makeCheckAuthentication(hashAuthentication),
            ageMsMax: 30 * minuteMs,
          }),
          signDocument,
          recordSigning: isKeeping
            ? makeKeepDocument({ store, blobs, trackCall: untracked, keptMs, clock: now })
            : makeRecordCall(store, untracked),
          bytesMax,
          newId: randomUUID,
          clock: now,
        }),
        100_000,
      ),
      ...signedDocumentEndpoints({ store, blobs }),
    ],
  });
const server = serve(false);
const keeping = serve(true);

/** A positive identity call of the tenant, as the face module records it. */
const authenticate = async (change: Partial<TransactionRecord> = {}) => {
  const record: TransactionRecord = {
    id: randomUUID(),
    tenantId: tenants[0],
    keyId: randomUUID(),
    environment: "test",
    endpoint: "identity",
    at: new Date(),
    result: { facial: 3, liveness: 3 },
    measurements: { comparison: { similarity: 0.99, falseMatchRate: 0.000001 } },
    policyVersion: "faces-1",
    models: {},
    tokenHashes: ["ab".repeat(32)],
    ...change,
  };
  await store.recordTransaction(record, [], stepOf());
  return {
    serviceTransactionId: record.id,
    facialAuthenticationHash: (await hashAuthentication(record)) ?? "A".repeat(128),
  };
};

const pdf = Buffer.from("%PDF-1.7 a file of some bytes");
const placeAt = (ipAddress: string | null | undefined) => ({ city: "Lima", country: "PER", ipAddress });
const requestOf = (signingData: object, change: object = {}) => ({
  endUserContactInfo: "anna@example.org",
  file: pdf.toString("base64"),
  signingData,
  signingLocation: { city: "Ñuñoa", country: "CHL", ipAddress: "203.0.113.7" },
  signingType: "1",
  ...change,
});

type Server = typeof server;
const call = async (
  to: Server,
  method: "POST" | "GET",
  url: string,
  body?: object,
  scope: "signing" | "tracking" = "signing",
  tenantId: string = tenants[0],
) => {
  const response = await to.server.app.inject({
    method,
    url,
    headers: {
      "x-api-key": to.makeKey({ tenantId, environment: "test", scopes: [scope] }),
      "content-type": "application/json",
    },
    ...(body && { payload: JSON.stringify(body) }),
  });
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.body) };
};
const sign = (body: object, to: Server = server) => call(to, "POST", "/services/digitalSign", body);
const records = async () => (await store.listTransactions(tenants[0], new Date(0))).length;

describe("POST /services/digitalSign", () => {
  it("signs with a positive authentication, and records what was signed with its evidence", async () => {
    const authentication = await authenticate();
    const { status, body } = await sign(requestOf(authentication));
    expect(status).toBe(200);
    expect(Object.keys(body)).toStrictEqual([
      "serviceTransactionId",
      "serviceResultCode",
      "serviceResultLog",
      "timestamp",
      "serviceDocument",
    ]);
    const signed = Buffer.from(body.serviceDocument, "base64");
    expect(signed.subarray(0, pdf.length)).toStrictEqual(pdf);
    expect(signed.toString("utf8")).toContain(`"hash":"${authentication.facialAuthenticationHash}"`);
    expect(signed.toString("utf8")).toContain('"similarity":0.99');
    const record = await store.findTransaction(tenants[0], body.serviceTransactionId);
    expect(record).toMatchObject({
      endpoint: "digitalSign",
      result: { code: 0, level: "B-LTA" },
      measurements: {
        authentication: authentication.serviceTransactionId,
        document: { sha256: sha256Of(pdf), bytes: pdf.length },
        signed: sha256Of(signed),
      },
    });
  });

  it("streams a large document to the same bytes, with its length", async () => {
    const file = Buffer.alloc(1_500_000, "%PDF-1.7 ");
    const { headers, body } = await sign(requestOf(await authenticate(), { file: file.toString("base64") }));
    expect(Number(headers["content-length"])).toBe(Buffer.byteLength(JSON.stringify(body)));
    expect(Buffer.from(body.serviceDocument, "base64").subarray(0, file.length).equals(file)).toBe(true);
  });

  it("answers an unknown transaction, another tenant's and another environment's with the same bytes", async () => {
    const foreign = await authenticate({ tenantId: tenants[1] });
    const live = await authenticate({ environment: "live" });
    const before = await records();
    const answers = await Promise.all(
      [{ ...live, serviceTransactionId: randomUUID() }, foreign, live].map((data) => sign(requestOf(data))),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toStrictEqual(answers[0]?.body);
    }
    expect(await records()).toBe(before);
  });

  it("may follow the authentication until the limit, and not later", async () => {
    const authentication = await authenticate();
    clock.aheadMs = 29 * minuteMs;
    expect((await sign(requestOf(authentication))).status).toBe(200);
    clock.aheadMs = 31 * minuteMs;
    const late = await sign(requestOf(authentication));
    clock.aheadMs = 0;
    expect(late).toMatchObject({ status: 422, body: { failure: "transaction_too_old" } });
  });

  it.each([
    ["transaction_not_positive", () => authenticate({ result: { facial: 3, liveness: 17 } }), {}],
    [
      "authentication_hash_wrong",
      async () => {
        const [one, other] = [await authenticate(), await authenticate()];
        return { ...one, facialAuthenticationHash: other.facialAuthenticationHash };
      },
      {},
    ],
    ["contact_unreadable", () => authenticate(), { endUserContactInfo: "anna" }],
    ["pdf_position_unreadable", () => authenticate(), { signatureData: { signatureFieldPosition: "1,2,3" } }],
    [
      "signature_image_unreadable",
      () => authenticate(),
      { signatureData: { handSignature: Buffer.from("GIF89a").toString("base64") } },
    ],
    ["pdf_too_large", () => authenticate(), { file: Buffer.alloc(bytesMax + 1).toString("base64") }],
    ["request_invalid", () => authenticate(), { signingType: "2" }],
    ["request_invalid", () => authenticate(), { file: "no Base64" }],
    ["request_invalid", () => authenticate(), { signingLocation: { city: "Lima", country: "ZZZ" } }],
    ["request_invalid", () => authenticate(), { signingLocation: { city: "Lima", country: "XXX" } }],
    ["request_invalid", () => authenticate(), { signingLocation: { city: "Li\u0000ma", country: "PER" } }],
    ["request_invalid", () => authenticate(), { signingLocation: { city: "Li\u202ema", country: "PER" } }],
    ["request_invalid", () => authenticate(), { signingLocation: placeAt("foo") }],
    ["request_invalid", () => authenticate(), { signingLocation: placeAt("203.0.113.256") }],
    ["request_invalid", () => authenticate(), { signingLocation: placeAt("203.0.113.7:443") }],
  ] as const)("refuses with %s, and stores nothing", async (code, makeData, change) => {
    const data = await makeData();
    const before = await records();
    const { status, body } = await sign(requestOf(data, change));
    expect([status, body.failure]).toStrictEqual([code === "request_invalid" ? 400 : 422, code]);
    expect(await records()).toBe(before);
  });

  it("names an address that is no IP address, beside every other fault", async () => {
    const signingLocation = { ...placeAt("foo"), country: "ZZZ" };
    const { body } = await sign(requestOf(await authenticate(), { signingLocation, signingType: "2" }));
    expect(body.errors).toStrictEqual([
      "signingType: must be one of 1",
      "signingLocation.country: is no ISO 3166-1 alpha-3 code",
      'signingLocation.ipAddress: is "foo", and must be an IP address',
    ]);
  });

  it.each([
    ["203.0.113.7", '"ipAddress":"203.0.113.7"'],
    ["2001:db8::7", '"ipAddress":"2001:db8::7"'],
    ["", undefined],
    [null, undefined],
    [undefined, undefined],
  ])("states the address %j of the signer, and none where it is left out", async (ipAddress, stated) => {
    const { status, body } = await sign(
      requestOf(await authenticate(), { signingLocation: placeAt(ipAddress) }),
    );
    expect(status).toBe(200);
    const text = Buffer.from(body.serviceDocument, "base64").toString("utf8");
    if (stated === undefined) expect(text).not.toContain("ipAddress");
    else expect(text).toContain(stated);
  });

  it("takes a file of the largest size", async () => {
    const file = Buffer.alloc(bytesMax).toString("base64");
    expect((await sign(requestOf(await authenticate(), { file }))).status).toBe(200);
  });

  it.each([
    [undefined, null],
    [{}, null],
    [{ pageNumber: 2 }, { pageNumber: 2, position: [36, 36, 236, 96] }],
    [{ signatureFieldPosition: "1,2,3,4" }, { pageNumber: 3, position: [1, 2, 3, 4] }],
  ])("shows a signature where a field asks for it: %j", async (signatureData, shown) => {
    const { body } = await sign(requestOf(await authenticate(), signatureData && { signatureData }));
    const text = Buffer.from(body.serviceDocument, "base64").toString("utf8");
    if (shown === null) expect(text.endsWith("}null")).toBe(true);
    else expect(text).toContain(JSON.stringify(shown).slice(0, -1));
  });
});

describe("kept signed documents", () => {
  it("are listed and read by the operator of their tenant, with the newest version", async () => {
    const { body } = await sign(requestOf(await authenticate()), keeping);
    const id: string = body.serviceTransactionId;
    const list = await call(keeping, "GET", "/operator/signed-documents", undefined, "tracking");
    expect(list.body.documents[0]).toMatchObject({ id, level: "B-LTA", extendedAt: null });
    const url = `/operator/signed-documents/${id}`;
    const shown = await call(keeping, "GET", url, undefined, "tracking");
    expect(shown.body).toMatchObject({ id, document: body.serviceDocument });
    const foreign = await call(keeping, "GET", url, undefined, "tracking", tenants[1]);
    expect(foreign.status).toBe(404);
  });

  it("are extended 90 days before their time-stamp ends, once, and again after a failure", async () => {
    const { body } = await sign(requestOf(await authenticate()), keeping);
    const id: string = body.serviceTransactionId;
    const errors: unknown[] = [];
    let isDown = true;
    const extend = makeExtendDocuments({
      store,
      blobs,
      keptMs,
      clock: now,
      newId: randomUUID,
      onError: (error) => errors.push(error),
      onGaps: (gaps) => errors.push(gaps),
      extendDocument: (file) => {
        if (isDown) return Promise.reject(new Error("no authority answers"));
        const appended = new Uint8Array(Buffer.from("+stamp"));
        const provableUntil = new Date(now().getTime() + 1825 * dayMs);
        return Promise.resolve({ appended, sha256: sha256Of(file, appended), provableUntil, gaps: [] });
      },
    });
    const round = () => extend(new AbortController().signal);
    const read = async () =>
      (await store.findSignedDocument({ tenantId: tenants[0], environment: "test" }, id))!;
    clock.aheadMs = 1734 * dayMs;
    await round();
    expect(errors).toHaveLength(0);
    clock.aheadMs = 1736 * dayMs;
    await round();
    expect(errors.length).toBeGreaterThan(0);
    expect((await read()).revision).toBe(1);
    isDown = false;
    await round();
    expect((await read()).revision).toBe(1);
    clock.aheadMs += 61 * minuteMs;
    await round();
    await round();
    const extended = await read();
    expect(extended).toMatchObject({
      revision: 2,
      bytes: Buffer.from(body.serviceDocument, "base64").length + 6,
    });
    const shown = await call(keeping, "GET", `/operator/signed-documents/${id}`, undefined, "tracking");
    clock.aheadMs = 0;
    expect(Buffer.from(shown.body.document, "base64").toString("utf8").endsWith("+stamp")).toBe(true);
    expect(extended.sha256).toBe(sha256Of(Buffer.from(shown.body.document, "base64")));
  });
});

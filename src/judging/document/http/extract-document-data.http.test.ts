import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeRecordCall } from "#record/transactions/record-call";
import { openRecordingStore } from "#support/app/recording-store";
import { recordedDocumentEngine } from "#support/document/http/recorded-document-engine";
import { drawSent } from "#support/document/http/sent-images";
import { printed } from "#support/document/printed-lines";
import { collectFields, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import { openRealEngine } from "#support/document/real-engine";
import { startServer } from "#support/http/harness";
import { openTokens } from "#support/tokens/open-tokens";
import { untracked } from "#support/transactions/untracked";
import { makeExtractDocument } from "../decision/extract-document.ts";
import { defaultDocumentPolicy } from "../decision/policy.ts";
import type { DocumentEngine } from "../reading/engine.ts";
import { writeCapture } from "../reading/ocr-container.ts";
import { extractDocumentDataEndpoint } from "./extract-document-data.endpoint.ts";
import { extractDocumentDataWebEndpoint } from "./extract-document-data-web.endpoint.ts";

const patientMs = 120_000;
const engine = recordedDocumentEngine();
const passport = await drawSent("a scanned passport");
const folder = await mkdtemp(path.join(tmpdir(), "idem-extract-"));
const store = await openRecordingStore(path.join(folder, "idem.sqlite"));
const tenantId = randomUUID();
await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
const { openToken, seal, sealFor } = await openTokens();

const serve = (using: DocumentEngine, defaultCountry?: string) => {
  const extractDocument = makeExtractDocument({
    recordCall: makeRecordCall(store, untracked),
    engine: using,
    policy: defaultDocumentPolicy,
    collectFields,
  });
  const deps = {
    openToken,
    extractDocument,
    findDefaultCountry: async (asked: string) => (asked === tenantId ? defaultCountry : undefined),
    sealFace: (portrait: Uint8Array, { caller }: { readonly caller: { readonly tenantId: string } }) =>
      sealFor(caller.tenantId, "face-image", portrait),
  };
  const endpoints = [extractDocumentDataEndpoint(deps), extractDocumentDataWebEndpoint(deps)];
  const { server, makeKey } = startServer({
    endpoints,
    makeId: randomUUID,
    limits: { requestTimeoutMs: patientMs },
  });
  const apiKey = makeKey({ tenantId });
  const post = async (url: string, payload: Readonly<Record<string, unknown>>) => {
    const answer = await server.app.inject({
      method: "POST",
      url,
      headers: { "x-api-key": apiKey },
      payload,
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  return { post, close: () => server.app.close() };
};

const harness = serve(engine);
/** One good case of each service goes through the readers and networks. */
const reading = serve(await openRealEngine());
afterAll(async () => {
  await harness.close();
  await reading.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const web = "/services/extractDocumentDataWeb";
const mobile = "/services/extractDocumentData";
const countAnswers = async (): Promise<number> =>
  (await store.listTransactions(tenantId, new Date(0))).length;

describe("POST /services/extractDocumentDataWeb", { timeout: patientMs }, () => {
  it("reads a passport's front alone under PSP, and stores no field of it", async () => {
    const tokenFrontDocument = await seal("document-image", passport);
    const { status, body } = await reading.post(web, {
      tokenFrontDocument,
      countryCode: "PSP",
      decompose: true,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      serviceResultCode: 0,
      serviceResultLog: "[extractDocumentDataWeb] Service executed ok",
      serviceTime: expect.stringMatching(/^\d+$/),
      serviceTransactionId: expect.any(String),
      timestamp: expect.any(String),
    });
    expect(JSON.parse(body.serviceDocument)).toMatchObject({
      SUBTYPE: "PASSPORT",
      COUNTRY_CODE: "PSP",
      ASK4BACK: false,
      BACKSIDE: { MRZ_DATA: { ACCEPTED: true, DOCUMENT_NUMBER: "F12345678" } },
      FIELDS: { DOCUMENT_NUMBER: { VALUE: "F12345678" } },
      DECOMPOSED: { FACE: expect.stringMatching(/^\/9j/), FACE_TOKEN: expect.stringMatching(/^SURN/) },
    });
    const { FACE, FACE_TOKEN } = JSON.parse(body.serviceDocument).DECOMPOSED;
    const reader = { caller: { tenantId, environment: "test" }, receivedAt: new Date() } as const;
    const opened = await openToken(Buffer.from(FACE_TOKEN, "base64"), "face-image", reader);
    expect([Buffer.from(opened.payload).toString("base64"), opened.namesTenant]).toEqual([FACE, true]);
    const kept = await store.findTransaction(tenantId, body.serviceTransactionId);
    expect(kept).toMatchObject({ endpoint: "extractDocumentDataWeb", tokenHashes: [expect.any(String)] });
    expect(JSON.stringify(kept)).not.toMatch(/F12345678|MU.OZ/);
  });

  it.each([
    ["a country where there is no default", ["tokenFrontDocument", "tokenBackDocument"], {}, "countryCode"],
    ["the back of a card", ["tokenFrontDocument"], { countryCode: "CHL" }, "tokenBackDocument"],
    ["a front", [], { countryCode: "PSP" }, "tokenFrontDocument"],
  ] as const)("refuses a call without %s", async (_, sides, change, missing) => {
    const token = await seal("document-image", passport);
    const tokens = Object.fromEntries(sides.map((side) => [side, token]));
    const { status, body } = await harness.post(web, { ...tokens, ...change });
    expect([status, body.code]).toEqual([400, 1102]);
    expect(body.errors).toEqual([expect.stringContaining(`${missing}: is required`)]);
  });

  it("requires the back for the deployment's own country", async () => {
    const national = serve(engine, "CHL");
    const tokenFrontDocument = await seal("document-image", passport);
    const { status, body } = await national.post(web, { tokenFrontDocument });
    expect([status, body.code]).toEqual([400, 1102]);
    await national.close();
  });

  it("refuses a token of another kind, naming its field", async () => {
    const tokenFrontDocument = await seal("best-image", passport);
    const { status, body } = await harness.post(web, { tokenFrontDocument, countryCode: "PSP" });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      failure: "token_wrong_kind",
      errors: [expect.stringContaining("tokenFrontDocument")],
    });
  });

  it("records nothing where the signature could not be cut out", async () => {
    const signed = sideOf({
      mrz: mrzOf(passportLines),
      lines: printed([0.3, 0.7, "Firma del titular / Holder's signature"]),
      upright: passport,
    });
    const busy = serve({
      ...engine,
      read: async () => readingOf(signed),
      cutPart: () => Promise.reject(new Failure("engine_busy")),
    });
    const before = await countAnswers();
    const request = { tokenFrontDocument: await seal("document-image", passport), countryCode: "PSP" };
    expect(await busy.post(web, { ...request, decompose: true })).toMatchObject({ status: 503 });
    expect(await countAnswers()).toBe(before);
    expect(await busy.post(web, request)).toMatchObject({ status: 200 });
    await busy.close();
  });
});

describe("POST /services/extractDocumentData", { timeout: patientMs }, () => {
  it("reads the images of a capture itself, and answers flat keys", async () => {
    const tokenOcr = await seal("ocr", writeCapture({ countryCode: "PSP", front: passport }));
    const { status, body } = await reading.post(mobile, { tokenOcr });
    expect(status).toBe(200);
    expect(body).toMatchObject({ serviceResultCode: 0, serviceTransactionId: expect.any(String) });
    expect(JSON.parse(body.serviceDocument)).toMatchObject({
      DocumentNumber: "F12345678",
      Issuer: "CHL",
      DateOfIssue: null,
    });
  });

  it("refuses a token without a capture, and one whose image is none, with the field", async () => {
    const none = await harness.post(mobile, { tokenOcr: await seal("ocr", passport) });
    expect(none).toMatchObject({ status: 422, body: { failure: "token_unreadable" } });
    const front = Buffer.from("no picture at all, whatever it is called");
    const broken = await harness.post(mobile, { tokenOcr: await seal("ocr", writeCapture({ front })) });
    expect(broken).toMatchObject({ status: 422, body: { failure: "image_unsupported" } });
    expect(broken.body.errors).toEqual([expect.stringContaining("tokenOcr")]);
  });
});

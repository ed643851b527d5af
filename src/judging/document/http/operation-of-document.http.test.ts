import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Compile } from "typebox/compile";
import { afterAll, describe, expect, it } from "vitest";
import { ocrData } from "#contract/event-document";
import { openTrackedStore } from "#support/app/tracked-store";
import { recordedDocumentEngine } from "#support/document/http/recorded-document-engine";
import { drawSent } from "#support/document/http/sent-images";
import { collectFields } from "#support/document/reading";
import { openRealEngine } from "#support/document/real-engine";
import { startServer } from "#support/http/harness";
import { openTokens } from "#support/tokens/open-tokens";
import { decideDocument } from "../decision/decide.ts";
import { makeDiagnoseDocument } from "../decision/diagnose-document.ts";
import { makeExtractDocument } from "../decision/extract-document.ts";
import { defaultDocumentPolicy as policy } from "../decision/policy.ts";
import { writeCapture } from "../reading/ocr-container.ts";
import { extractDocumentDataEndpoint } from "./extract-document-data.endpoint.ts";
import { extractDocumentDataWebEndpoint } from "./extract-document-data-web.endpoint.ts";
import { padDiagnosticEndpoint } from "./pad-diagnostic.endpoint.ts";

const patientMs = 120_000;
const recordedEngine = recordedDocumentEngine();
const passport = Buffer.from(await drawSent("a scanned passport"));
const folders: string[] = [];
const { openToken, seal } = await openTokens();

const open = async (keepsImages = true, engine = recordedEngine) => {
  const folder = await mkdtemp(path.join(tmpdir(), "idem-captured-"));
  folders.push(folder);
  const { store, operations, recordCall } = await openTrackedStore(folder, { keepsImages });
  const { id: tenantId } = await store.createTenant({ id: randomUUID(), name: "a", createdAt: new Date() });
  const shared = { recordCall, engine, policy, collectFields };
  const extract = {
    openToken,
    extractDocument: makeExtractDocument(shared),
    findDefaultCountry: async () => undefined,
    sealFace: async () => "",
  };
  const compareFaces = () => Promise.reject(new Error("No call of this test sends a face"));
  const diagnoseDocument = makeDiagnoseDocument({ ...shared, compareFaces, decide: decideDocument });
  const { server, makeKey } = startServer({
    endpoints: [
      extractDocumentDataEndpoint(extract),
      extractDocumentDataWebEndpoint(extract),
      padDiagnosticEndpoint({ openToken, diagnoseDocument, imageBytesMax: 5_000_000 }),
    ],
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
  const close = async () => {
    await server.app.close();
    await store.close();
  };
  return { store, operations, tenantId, post, close };
};

const service = await open();
const { operations, tenantId } = service;
afterAll(async () => {
  await service.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

const web = "/services/extractDocumentDataWeb";
const mobile = "/services/extractDocumentData";
const pad = "/verify/pad/diagnostic";

const webRequest = async (tracking: object) => ({
  tokenFrontDocument: await seal("document-image", passport),
  countryCode: "PSP",
  ...tracking,
});
const mobileRequest = async (tracking: object) => ({
  tokenOcr: await seal("ocr", writeCapture({ countryCode: "CHL", front: passport, back: passport })),
  ...tracking,
});
const padRequest = (tracking: object) => ({
  frontSideImage: passport.toString("base64"),
  backSideImage: passport.toString("base64"),
  tokenized: false,
  countryCode: "CHL",
  idType: "PASSPORT",
  ...tracking,
});

describe("the operation of an extraction", { timeout: patientMs }, () => {
  const ocr = Compile(ocrData);

  it("gets id_captured with the values of the answer, and the images with the portrait that was cut out", async () => {
    const reading = await open(true, await openRealEngine());
    const operationId = randomUUID();
    const { body } = await reading.post(web, {
      ...(await webRequest({ tracking: { operationId } })),
      decompose: true,
    });
    const [started, captured, ...others] = await reading.operations.eventsOf(reading.tenantId, operationId);
    expect(others).toEqual([]);
    expect(started).toMatchObject({
      sequence: 1,
      name: "operation_started",
      data: { customerId: operationId },
    });
    expect(captured).toMatchObject({ sequence: 2, name: "id_captured" });
    const found = ocr.Parse(captured!.data["ocr"]);
    expect(found).toMatchObject({
      version: 1,
      type: "PASSPORT",
      country: "CHL",
      fields: { documentNumber: "F12345678", lastName: expect.any(String), gender: expect.any(String) },
    });
    const answered = JSON.parse(body.serviceDocument);
    const values = Object.values<{ VALUE: string }>(answered.FIELDS).map(({ VALUE }) => VALUE);
    expect(Object.values(found.fields)).toEqual(values);
    expect(captured!.assets.map(({ type }) => type)).toEqual(["id_front", "id_portrait"]);
    const [front, portrait] = captured!.assets;
    expect(Buffer.from(await reading.operations.imageOf(reading.tenantId, front!)).equals(passport)).toBe(
      true,
    );
    expect(
      Buffer.from(await reading.operations.imageOf(reading.tenantId, portrait!)).toString("base64"),
    ).toBe(answered.DECOMPOSED.FACE);
    await reading.close();
  });

  it("gets it from the mobile service too, and nothing from the diagnostic, which takes no tracking", async () => {
    const tracking = { tracking: { operationId: randomUUID() } };
    await service.post(mobile, await mobileRequest(tracking));
    expect(await service.post(pad, padRequest(tracking))).toMatchObject({ status: 200 });
    const events = await operations.eventsOf(tenantId, tracking.tracking.operationId);
    expect(events.map(({ name, assets }) => [name, assets.map(({ type }) => type)])).toEqual([
      ["operation_started", []],
      ["id_captured", ["id_front", "id_back", "id_portrait"]],
    ]);
    expect(operations.stepsOf(tenantId, tracking.tracking.operationId)).toEqual(["extractDocumentData"]);
  });

  it("keeps no image where the deployment keeps none, and its events link to none", async () => {
    const without = await open(false);
    const operationId = randomUUID();
    await without.post(web, await webRequest({ tracking: { operationId } }));
    const events = await without.operations.eventsOf(without.tenantId, operationId);
    expect(events.map(({ name, assets }) => [name, assets])).toEqual([
      ["operation_started", []],
      ["id_captured", []],
    ]);
    expect(without.operations.query("select 1 from blobs")).toEqual([]);
    await without.close();
  });
});

describe("an operation", { timeout: patientMs }, () => {
  const count = (): readonly number[] =>
    ["transactions", "operations", "operation_steps", "events", "assets", "blobs"].map(
      (table) => operations.query(`select 1 from ${table}`).length,
    );

  it("that has ended takes no call: 409, and nothing is stored", async () => {
    const tracking = { tracking: { operationId: randomUUID() } };
    await service.post(mobile, await mobileRequest(tracking));
    operations.finish(tenantId, tracking.tracking.operationId);
    const before = count();
    for (const [url, request] of [
      [web, await webRequest(tracking)],
      [mobile, await mobileRequest(tracking)],
    ] as const) {
      expect(await service.post(url, request)).toMatchObject({
        status: 409,
        body: { failure: "operation_finished" },
      });
    }
    expect(count()).toEqual(before);
    expect(await service.post(pad, padRequest(tracking))).toMatchObject({ status: 200 });
  });

  it("that has ended and is named by a tracking token alone stops no call, which is no step of it", async () => {
    const tracking = { tracking: { extraData: `a token of some SDK ${randomUUID()}` } };
    await service.post(web, await webRequest(tracking));
    const [id] = operations.query("select id from operations order by opened_at desc, id limit 1");
    operations.finish(tenantId, String(id?.["id"]));
    const [transactions, ...others] = count();
    for (const [url, request] of [
      [web, await webRequest(tracking)],
      [mobile, await mobileRequest(tracking)],
    ] as const) {
      expect(await service.post(url, request)).toMatchObject({ status: 200 });
    }
    expect(count()).toEqual([transactions! + 2, ...others]);
  });

  it("is opened by no call without tracking", async () => {
    const [transactions, ...others] = count();
    await service.post(web, await webRequest({}));
    await service.post(mobile, await mobileRequest({}));
    await service.post(pad, padRequest({}));
    expect(count()).toEqual([transactions! + 3, ...others]);
  });
});

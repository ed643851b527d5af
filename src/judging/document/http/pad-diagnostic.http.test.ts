import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { makeComparePortrait } from "#judging/face/compare-portrait";
import { defaultFacePolicy } from "#judging/face/policy";
import { makeRecordCall } from "#record/transactions/record-call";
import { openRecordingStore } from "#support/app/recording-store";
import { recordedDocumentEngine } from "#support/document/http/recorded-document-engine";
import { drawSent } from "#support/document/http/sent-images";
import { collectFields } from "#support/document/reading";
import { openRealEngine } from "#support/document/real-engine";
import { imageOf, openFaceEngine } from "#support/face/images";
import { startServer } from "#support/http/harness";
import { openTokens, tokenAgeMs } from "#support/tokens/open-tokens";
import { untracked } from "#support/transactions/untracked";
import { decideDocument } from "../decision/decide.ts";
import { makeDiagnoseDocument } from "../decision/diagnose-document.ts";
import { defaultDocumentPolicy } from "../decision/policy.ts";
import type { DocumentEngine } from "../reading/engine.ts";
import { padDiagnosticEndpoint } from "./pad-diagnostic.endpoint.ts";

const bytesMax = 8_000_000;
const folder = await mkdtemp(path.join(tmpdir(), "idem-pad-"));
const store = await openRecordingStore(path.join(folder, "idem.sqlite"));
const tenantId = randomUUID();
await store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() });
const engine = recordedDocumentEngine();
const { openToken, seal } = await openTokens();
const comparePortrait = makeComparePortrait({
  engine: { measure: openFaceEngine().measure },
  policy: defaultFacePolicy,
  bestImages: { uses: "operation", ageMs: tokenAgeMs },
  onError: () => undefined,
});
const endpointOf = (using: DocumentEngine) =>
  padDiagnosticEndpoint({
    openToken,
    imageBytesMax: bytesMax,
    diagnoseDocument: makeDiagnoseDocument({
      collectFields,
      decide: decideDocument,
      recordCall: makeRecordCall(store, untracked),
      engine: using,
      policy: defaultDocumentPolicy,
      compareFaces: comparePortrait,
    }),
  });
/** Two sides are read with all networks in this one thread, beside other tests. */
const patientMs = 300_000;
const serve = (using: DocumentEngine) =>
  startServer({
    endpoints: [endpointOf(using)],
    makeId: randomUUID,
    limits: { requestTimeoutMs: patientMs },
  });
const service = serve(engine);
/** One good case goes through the readers and networks. */
const reading = serve(await openRealEngine());
afterAll(async () => {
  await service.server.app.close();
  await reading.server.app.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const [holder, impostor] = ["franck_02159.jpg", "cage.jpg"].map(imageOf);
const [genuine, copy, altered, table] = [
  await drawSent("a photographed passport"),
  await drawSent("a grey copy of a passport"),
  await drawSent("a passport with a wrong check digit"),
  await drawSent("an empty table"),
];

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const send = async (change: Readonly<Record<string, unknown>>, to = service) => {
  const body = {
    frontSideImage: base64(genuine),
    backSideImage: base64(genuine),
    tokenized: false,
    countryCode: "CHL",
    idType: "PASSPORT",
    ...change,
  };
  const answer = await to.server.app.inject({
    method: "POST",
    url: "/verify/pad/diagnostic",
    headers: { "x-api-key": to.makeKey({ tenantId }) },
    payload: body,
  });
  return { status: answer.statusCode, body: answer.json() };
};
const both = (image: Uint8Array) => ({ frontSideImage: base64(image), backSideImage: base64(image) });
const resultOf = (body: { readonly serviceResult: string }) => JSON.parse(body.serviceResult);

describe("POST /verify/pad/diagnostic", { timeout: patientMs }, () => {
  it("finds a photograph of a passport credible, with its data and the requirements that it meets", async () => {
    const { status, body } = await send({}, reading);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      serviceResultCode: 0,
      serviceResultLog: "[padDiagnostic] Service executed ok",
      serviceTime: expect.stringMatching(/^\d+$/),
      serviceTransactionId: expect.any(String),
      timestamp: expect.any(String),
    });
    expect(resultOf(body)).toMatchObject({
      result: {
        decision: "Credible",
        reasons: [],
        IQA: {
          passed: true,
          frontSideImage: {
            passed: true,
            resolution: { value: 1260, minimum: 720, recommended: 1080, passed: true },
            text: { passed: true },
          },
          backSideImage: { passed: true },
        },
      },
      api_version: "1",
    });
    const data = JSON.parse(body.serviceDocumentData);
    expect(data.BACKSIDE.MRZ_DATA).toMatchObject({ FORMAT: "TD3", ACCEPTED: true });
  });

  it("takes tokens of the document capture, and a face that is the portrait's", async () => {
    const { status, body } = await send({
      frontSideImage: await seal("document-image", genuine),
      backSideImage: await seal("document-image", genuine),
      face: await seal("face-image", holder!),
      tokenized: true,
    });
    expect(status).toBe(200);
    expect(resultOf(body).result).toMatchObject({ decision: "Credible", reasons: [] });
    const kept = await store.findTransaction(tenantId, body.serviceTransactionId);
    expect(kept).toMatchObject({
      endpoint: "padDiagnostic",
      policyVersion: defaultDocumentPolicy.version,
      result: { decision: "Credible", reasons: [], isQualitySufficient: true },
    });
    expect(kept?.tokenHashes).toHaveLength(3);
    expect(JSON.stringify(kept)).not.toContain("SOLIS");
  });

  it("finds a grey copy a spoof, and keeps the reason for the operator only", async () => {
    const { body } = await send(both(copy));
    expect(resultOf(body).result).toMatchObject({
      decision: "Spoof",
      reasons: ["Black_and_White_Printed_Copy_Attack"],
    });
    expect(body.serviceResult).not.toContain("colour");
    const kept = await store.findTransaction(tenantId, body.serviceTransactionId);
    expect(JSON.stringify(kept?.measurements)).toContain("it is a grey copy");
  });

  it("doubts data that contradicts itself, and another face than the portrait's", async () => {
    expect(resultOf((await send(both(altered))).body).result).toMatchObject({
      decision: "Doubtful",
      reasons: ["SECURITY_DATA_CHECK"],
    });
    expect(resultOf((await send({ face: base64(impostor!) })).body).result).toMatchObject({
      decision: "Doubtful",
      reasons: ["SECURITY_PHOTO_CHECK"],
    });
  });

  it("is an error where no image shows a document", async () => {
    expect(resultOf((await send(both(table))).body).result).toMatchObject({
      decision: "Error",
      reasons: ["NOT_PROCESSED_OCR", "NOT_PROCESSED_PHOTO_CHECK", "NOT_PROCESSED_DATA_CHECK"],
      IQA: { passed: false },
    });
  });

  it("refuses missing fields and files that are no image, with every field named", async () => {
    const missing = await send({ frontSideImage: undefined, countryCode: undefined });
    expect(missing).toMatchObject({
      status: 400,
      body: { status: 400, title: expect.any(String), detail: expect.any(String), type: expect.any(String) },
    });
    expect(missing.body.errors).toEqual(
      expect.arrayContaining(["frontSideImage: is required", "countryCode: is required"]),
    );
    const broken = await send({ face: base64(Buffer.from("no picture at all, whatever it is called")) });
    expect(broken).toMatchObject({
      status: 400,
      body: {
        failure: "request_invalid",
        code: 1402,
        errors: ["face: is of a format that is not served"],
        facts: { field: "face" },
      },
    });
  });
});

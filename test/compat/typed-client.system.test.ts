import { beforeAll, describe, expect, it, vi } from "vitest";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { writeCapture } from "#judging/document/reading/ocr-container";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import { isObject, memberOf } from "../../scripts/contract/json.ts";
import { drawCases, drawWithoutFace, persons, toBase64 } from "../harness/images.ts";
import { registeredNumber } from "../harness/registry.ts";
import { openTenant, type Tenant } from "../harness/tenant.ts";
import { interfaceOperations, type OperationName } from "./interface-types.ts";
import { readStrictly } from "./strict-reader.ts";

let service: Tenant;
let keys: Awaited<ReturnType<typeof fetchPublishedKeys>>;
let page: Uint8Array;
let table: Uint8Array;

beforeAll(async () => {
  service = await openTenant();
  keys = await fetchPublishedKeys(service.url);
  const { genuine } = await drawCases();
  page = genuine?.document ?? expect.unreachable("There is no genuine case");
  table = await drawWithoutFace();
});

const seal = (kind: TokenKind, payload: Uint8Array = persons.selfie) =>
  sealToken({ keys, kind, payload, now: new Date() });

/**
 * Null or an empty text in each optional field, by turns, and fields that no version of the interface has.
 */
const asTypedClient = (optional: readonly string[]) => {
  const body: Record<string, unknown> = { clientVersion: "9", extensions: { trace: [null] } };
  for (const [at, field] of optional.entries()) {
    const value = at % 2 === 0 ? null : "";
    const [outer = "", inner] = field.split(".");
    const part = body[outer];
    body[outer] = inner === undefined ? value : { ...(isObject(part) ? part : {}), [inner]: value };
  }
  return body;
};

/** The path with its parameters filled in, and the other fields. */
const placedIn = (path: string, fields: object) => {
  const rest = new Map<string, unknown>(Object.entries(fields));
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return value;
  });
  return { place, rest: Object.fromEntries(rest) };
};

/** Calls an operation as a typed client does, and expects an answer that its strict deserialiser reads. */
const call = async (name: OperationName, fields: object, status = 200): Promise<unknown> => {
  const { path, method, optional, answer } = interfaceOperations[name];
  const { place, rest } = placedIn(path, fields);
  const isRead = method === "GET";
  const query = isRead
    ? `?${new URLSearchParams(Object.entries(rest).map(([field, value]) => [field, String(value)])).toString()}`
    : "";
  const response = await fetch(service.url + place + query, {
    method,
    headers: { "content-type": "application/json", "x-api-key": service.apiKey },
    ...(!isRead && { body: JSON.stringify({ ...asTypedClient(optional), ...rest }) }),
  });
  const body: unknown = await response.json();
  expect([name, response.status], JSON.stringify(body).slice(0, 400)).toEqual([name, status]);
  expect(readStrictly(answer, body), name).toEqual([]);
  driven.add(name);
  return body;
};

const driven = new Set<string>();

describe("a typed client", () => {
  it("judges faces, with and without one to compare", async () => {
    const bestImageToken = await seal("best-image");
    const token1 = toBase64(persons.portrait);
    const judged = await call("identity", { token1, bestImageToken, method: "3" });
    expect(judged).toMatchObject({ facialAuthenticationResult: 3 });
    await call("detokenize", { bestImageToken, transactionId: memberOf(judged, "serviceTransactionId") });
    const nothing = await call("identity", {
      token1: toBase64(table),
      bestImageToken: await seal("best-image"),
      method: "3",
    });
    expect(nothing).toMatchObject({ facialAuthenticationSimilarity: 0, fmrAtScore: null });
    expect(memberOf(nothing, "facialAuthenticationResult")).not.toBe(3);
    await call("authenticateFacial", { token1, token2: toBase64(table), method: "1" });
    await call("evaluatePassiveLiveness", { imageBuffer: toBase64(table) });
    await call("evaluatePassiveLivenessToken", { imageBuffer: await seal("best-image") });
    await call("extractFacial", { tokenBuffer: toBase64(persons.selfie) });
    const extracted = await call("extractFacial", { tokenBuffer: toBase64(table) });
    expect(memberOf(extracted, "serviceFacialExtractionResult")).not.toContain("age");
  });

  it("registers a user, is refused, replaces the template and deletes", async () => {
    const user = { userId: "typed-1", merchantReferenceId: "login-1" };
    const authenticate = async (registeredTemplateRaw: unknown, payload?: Uint8Array) =>
      ({ ...user, registeredTemplateRaw, bestImageToken: await seal("best-image", payload) }) as const;
    const first = await seal("face-image", persons.portrait);
    const enrolled = await call("authenticateUser", await authenticate(first));
    expect(enrolled).toMatchObject({ serviceResultCode: 0 });
    const template = memberOf(enrolled, "registeredTemplateRaw");
    const refused = await call("authenticateUserV2", await authenticate(template, table));
    expect(refused).toMatchObject({ serviceFacialSimilarityResult: 0, outcome: "retry" });
    await call("authenticateUserV2", await authenticate(template));
    await call("updateUserTemplate", {
      userId: user.userId,
      oldRegisteredTemplateRaw: template,
      newRegisteredTemplateRaw: await seal("face-image", persons.portrait),
    });
    await call(
      "updateUserTemplate",
      {
        userId: "nobody",
        oldRegisteredTemplateRaw: template,
        newRegisteredTemplateRaw: await seal("face-image", persons.portrait),
      },
      400,
    );
    await call("deleteUsers", { userIds: [user.userId, "nobody"] });
  });

  it("reads documents", async () => {
    const token = await seal("document-image", page);
    await call("extractDocumentDataWeb", {
      tokenFrontDocument: token,
      tokenBackDocument: null,
      countryCode: "PSP",
    });
    await call("extractDocumentDataWeb", {
      tokenFrontDocument: await seal("document-image", table),
      tokenBackDocument: "",
      countryCode: "PSP",
    });
    const tokenOcr = await seal("ocr", writeCapture({ front: page }));
    await call("extractDocumentData", { tokenOcr });
    const images = { frontSideImage: toBase64(table), backSideImage: toBase64(table) };
    await call("padDiagnostic", { ...images, tokenized: false, countryCode: "CHL", idType: "PASSPORT" });
  });

  it.each([
    ["", "documentFrontRawImage"],
    ["V1", "frontsideImage"],
  ] as const)("validates a document, before and after its decision %s", async (version, front) => {
    const started = await call(`startDocumentValidation${version}`, {
      country: "CHL",
      idType: "PASSPORT",
      [front]: toBase64(version === "" ? page : table),
    });
    const reference = { scanReference: memberOf(started, "scanReference") };
    await call(`documentValidationData${version}`, reference);
    await vi.waitUntil(
      async () =>
        memberOf(await call(`documentValidationStatus${version}`, reference), "status") !== "PENDING",
      { timeout: 500_000, interval: 1_000 },
    );
    await call(`documentValidationData${version}`, reference);
  });

  it("ends an operation by the token of its SDK, which a later call may use again", async () => {
    const extraData = "eyJhbGciOiJIUzI1NiJ9.eyJvcCI6MX0.c2ln";
    const judge = async () =>
      await call("evaluatePassiveLivenessToken", {
        imageBuffer: await seal("best-image"),
        tracking: { extraData, operationId: null },
      });
    const end = { family: "OnBoarding", status: "SUCCEEDED", reason: "", extraData };
    await judge();
    const first = await call("finishTracking", end);
    expect(first).toMatchObject({ trackingStatus: 201 });
    await judge();
    const again = await call("finishTracking", end);
    expect(memberOf(again, "transactionId")).toBe(memberOf(first, "transactionId"));
  });

  it("signs a document on the ground of a positive authentication", async () => {
    const judged = await call("identity", {
      token1: toBase64(persons.portrait),
      bestImageToken: await seal("best-image"),
      method: "3",
    });
    const signed = await call("digitalSign", {
      endUserContactInfo: "anna@example.org",
      file: toBase64(makePdf({})),
      signingData: {
        facialAuthenticationHash: memberOf(judged, "facialAuthenticationHash"),
        serviceTransactionId: memberOf(judged, "serviceTransactionId"),
      },
      signingLocation: { city: "Santiago", country: "CHL", geoLocationPosition: null, ipAddress: "" },
      signingType: "1",
      signatureData: null,
    });
    expect(signed).toMatchObject({ serviceResultCode: 0 });
    const file = memberOf(signed, "serviceDocument");
    const verified = await fetch(`${service.url}/services/verifySignature`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": service.apiKey },
      body: JSON.stringify({ file }),
    });
    expect(await verified.json()).toMatchObject({ verdict: "valid" });
  });

  it("validates a person against a civil registry", async () => {
    const answer = await call("civilValidation", {
      operation: "FULL",
      platform: "WEB",
      countryCode: "ECU",
      documentNumber: registeredNumber,
      documentCode: "V1234I5678",
      imageFrontDocument: toBase64(page),
      imageBackDocument: toBase64(page),
      templateRaw: await seal("face-image"),
      returnPII: true,
    });
    expect(answer).toMatchObject({ serviceFacialAuthenticationResult: 3 });
  });

  it("hands a certificate of a verified person to a clearing entity", async () => {
    const judged = await call("identity", {
      token1: toBase64(page),
      bestImageToken: await seal("best-image"),
      method: "3",
    });
    expect(judged).toMatchObject({ facialAuthenticationResult: 3, passiveLivenessResult: 3 });
    const serviceTransactionId = memberOf(judged, "serviceTransactionId");
    const started = await call("startDocumentValidation", {
      country: "CHL",
      idType: "PASSPORT",
      documentFrontRawImage: toBase64(page),
    });
    const scanReference = memberOf(started, "scanReference");
    await expect
      .poll(() => call("documentValidationData", { scanReference }), { timeout: 60_000, interval: 500 })
      .toMatchObject({ verification: { code: 9001 } });
    for (const name of ["Clearing", "Previred"] as const) {
      const issued = await call(`verify${name}`, { serviceTransactionId, scanReference });
      const token = memberOf(issued, "token");
      const certificate = name === "Clearing" ? "clearingCertificate" : "previredCertificate";
      const opened = await call(certificate, { serviceTransactionId, token });
      expect(opened).toMatchObject({
        serviceTransactionId,
        documentValidationCode: 9001,
        personIsKept: true,
      });
    }
    const older = await call("startPrevired", {
      customerId: "customer-4711",
      identityTransactionId: serviceTransactionId,
      documentValidationScanReference: scanReference,
      ipVerified: "192.0.2.7",
      callbackUrl: "https://fund.example/clearing",
    });
    const token = memberOf(older, "hash");
    expect(await call("previredCertificate", { serviceTransactionId, token })).toMatchObject({
      serviceTransactionId,
    });
  });

  it("drives every operation", () => {
    expect([...driven].toSorted()).toEqual(Object.keys(interfaceOperations).toSorted());
  });
});

import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { judgeCompleteness } from "./completeness.ts";
import { documentTypesV2 } from "./document-type.ts";
import { startValidationRoute } from "./document-validation.routes.ts";
import { implement, type Route } from "./endpoint.ts";
import { Failure, failureKinds } from "./failure.ts";
import { extractDocumentDataWebRoute } from "./ocr.routes.ts";
import { routes } from "./routes.ts";
import { digitalSignRoute } from "./signing.routes.ts";
import { authenticateUserRoute } from "./user.routes.ts";

/** Endpoints of the interface document and of the pages beside it. */
const interfacePaths = [
  "POST /services/authenticateUser",
  "DELETE /services/authenticateUser",
  "POST /services/authenticateUser/v2",
  "POST /verify/documentValidation/v2/start",
  "POST /verify/documentValidation/v2/status",
  "POST /verify/documentValidation/v2/data",
  "POST /verify/documentValidation/start",
  "POST /verify/documentValidation/status",
  "POST /verify/documentValidation/data",
  "POST /verify/pad/diagnostic",
  "POST /onboarding/v2/identity",
  "POST /services/civilValidation",
  "POST /services/digitalSign",
  "POST /services/verifySignature",
  "POST /services/extractDocumentData",
  "POST /services/extractDocumentDataWeb",
  "POST /services/detokenize",
  "POST /services/updateUserTemplate",
  "POST /services/evaluatePassiveLivenessToken",
  "POST /services/evaluatePassiveLiveness",
  "POST /services/extractFacial",
  "POST /services/finishTracking",
  "POST /services/authenticateFacial",
  "POST /services/clearing/{serviceTransactionId}/verify",
  "GET /services/clearing/{serviceTransactionId}/certificate",
  "POST /services/previred",
  "POST /services/previred/{serviceTransactionId}/verify",
  "GET /services/previred/{serviceTransactionId}/certificate",
];

/** Beyond the interface: for the operator's console. */
const operatorPaths = [
  "GET /operator/operations",
  "GET /operator/operations/{operation}",
  "POST /operator/operations/{operation}/assets/{asset}/revoke",
  "POST /operator/operations/{operation}/end",
  "GET /operator/operations/{operation}/evidence",
  "GET /operator/transactions/{transactionId}",
  "GET /operator/keys",
  "POST /operator/keys",
  "POST /operator/keys/{keyId}/renew",
  "POST /operator/keys/{keyId}/revoke",
  "GET /operator/reviews",
  "GET /operator/clearing/callbacks",
  "GET /operator/clearing/transfers",
  "POST /operator/clearing/transfers",
  "GET /operator/clearing/transfers/{transferId}",
  "POST /operator/clearing/transfers/{transferId}/resume",
  "POST /operator/clearing/transfers/{transferId}/abandon",
  "GET /operator/signed-documents",
  "GET /operator/signed-documents/{id}",
  "GET /operator/reviews/{scanReference}",
  "GET /operator/reviews/{scanReference}/pictures/{side}",
  "POST /operator/reviews/{scanReference}/claim",
  "POST /operator/reviews/{scanReference}/decide",
  "POST /operator/reviews/{scanReference}/release",
  "GET /operator/destinations",
  "POST /operator/destinations",
  "GET /operator/destinations/{destinationId}",
  "POST /operator/destinations/{destinationId}",
  "POST /operator/destinations/{destinationId}/pause",
  "POST /operator/destinations/{destinationId}/resume",
  "POST /operator/destinations/{destinationId}/enable",
  "POST /operator/destinations/{destinationId}/rotate-secret",
  "POST /operator/destinations/{destinationId}/handshake",
  "POST /operator/destinations/{destinationId}/remove",
  "POST /operator/destinations/{destinationId}/test",
  "POST /operator/destinations/{destinationId}/replay",
  "POST /operator/destinations/{destinationId}/release",
  "GET /operator/deliveries",
  "GET /operator/deliveries/{destinationId}/{eventId}",
  "POST /operator/deliveries/{destinationId}/{eventId}/retry",
  "POST /operator/events/{eventId}/replay",
  "GET /operator/mailbox",
  "POST /operator/events/trigger",
];

/** Beyond the interface: verifications in one call. */
const verificationPaths = ["POST /verify/v1/verifications", "GET /verify/v1/verifications/{verificationId}"];

/** Beyond the interface: capture sessions, for integrators and for the pages that capture. */
const capturePaths = [
  "POST /capture/v1/sessions",
  "GET /capture/v1/sessions/{sessionId}",
  "POST /capture/v1/sessions/{sessionId}/cancel",
  "POST /capture/v1/page/open",
  "GET /capture/v1/page",
  "POST /capture/v1/page/consent",
  "POST /capture/v1/page/challenge",
  "POST /capture/v1/page/uploads",
  "POST /capture/v1/page/uploads/{uploadId}/pieces",
  "GET /capture/v1/page/uploads/{uploadId}",
  "POST /capture/v1/page/uploads/{uploadId}/finish",
  "POST /capture/v1/page/handoff",
  "POST /capture/v1/page/handoff/confirm",
  "POST /capture/v1/page/cancel",
];

const sandboxPaths = [
  "GET /sandbox/v1/personas",
  "GET /sandbox/v1/personas/{persona}",
  "GET /sandbox/v1/personas/{persona}/{image}",
  "POST /sandbox/v1/mesh",
];

const never = () => Promise.reject(new Error("The handler must not be reached"));

const refusalOf = async (route: Route, request: unknown): Promise<Failure["facts"]> => {
  const call = {
    request,
    caller: { tenantId: "t", keyId: "k", environment: "test" as const },
    transactionId: "x",
    requestId: "r",
    receivedAt: new Date(0),
    signal: new AbortController().signal,
    elapsedMs: () => 0,
  };
  const error: unknown = await implement(route, never)
    .handle(call)
    .catch((reason: unknown) => reason);
  if (error instanceof Failure && error.code === "request_invalid") return error.facts;
  throw new Error("The request was not refused", { cause: error });
};

describe("routes", () => {
  it("are exactly those of the interface, of the operator and of the sandbox", () => {
    const stated = routes.map(({ method, path }) => `${method} ${path}`);
    expect(stated.sort()).toEqual(
      [...interfacePaths, ...operatorPaths, ...verificationPaths, ...capturePaths, ...sandboxPaths].sort(),
    );
  });

  it("have unique names and declare only existing failures", () => {
    expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length);
    for (const route of routes) for (const code of route.failures) expect(failureKinds).toHaveProperty(code);
  });

  it("refuse an empty object, naming every required field at once", async () => {
    for (const route of routes) {
      // A list needs no field.
      if (
        ["listReviews", "listOperations", "listDestinations", "listMailbox", "listKeys"].includes(route.name)
      )
        continue;
      if (["showCapturePage", "challengeCapture", "handOffCapture"].includes(route.name)) continue;
      if (["confirmHandOff", "cancelCapturePage"].includes(route.name)) continue;
      if (["listSignedDocuments", "listPersonas", "listCallbacks", "listTransfers"].includes(route.name))
        continue;
      const facts = await refusalOf(route, {});
      expect(facts["code"], route.name).toBe(1102);
      const schema: { readonly required?: readonly string[] } = JSON.parse(JSON.stringify(route.request));
      for (const name of schema.required ?? [])
        expect(facts["errors"], route.name).toContain(`${name}: is required`);
    }
  });

  it.each([null, [], "text", 5, undefined])("refuse %o as a body", async (body) => {
    for (const route of routes) expect((await refusalOf(route, body))["code"]).toBeGreaterThan(1000);
  });

  it("put no pattern, format or length on Base64 fields", () => {
    const judge = (schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      if ("contentEncoding" in schema) {
        for (const keyword of ["pattern", "format", "maxLength", "minLength"])
          expect(schema).not.toHaveProperty(keyword);
      }
      for (const part of Object.values(schema)) judge(part);
    };
    for (const route of routes) judge(route.request);
  });
});

describe("a complete service", () => {
  it("has one endpoint for each route", () => {
    const all = routes.map((route) => ({ route }));
    expect(judgeCompleteness(all)).toEqual({ missing: [], doubled: [], unknown: [] });
    expect(judgeCompleteness(all.slice(1)).missing).toEqual([all[0]?.route.name]);
    expect(judgeCompleteness([...all, ...all.slice(0, 1)]).doubled).toEqual([all[0]?.route.name]);
  });
});

const lackingOfUser = (fields: object) =>
  authenticateUserRoute.rules?.({ ...fields }).map(({ field }) => field);

describe("rules", () => {
  const start = { country: "CHL", idType: "ID_CARD", documentFrontRawImage: "AAAA" };

  it("ask for the back of documents with two sides only", async () => {
    const sided = documentTypesV2.filter(
      (idType) => startValidationRoute.rules?.({ ...start, idType }).length,
    );
    expect(sided).toEqual(["DRIVING_LICENSE", "ID_CARD", "RESIDENCE_PERMIT"]);
    expect(extractDocumentDataWebRoute.rules?.({ tokenFrontDocument: "A", countryCode: "PSP" })).toEqual([]);
    expect(extractDocumentDataWebRoute.rules?.({ tokenFrontDocument: "A" })).toHaveLength(1);
  });

  it("report unknown countries and types with their own codes", async () => {
    const back = { documentBackRawImage: "AAAA" };
    expect((await refusalOf(startValidationRoute, { ...start, ...back, country: "QQQ" }))["code"]).toBe(2104);
    expect((await refusalOf(startValidationRoute, { ...start, ...back, country: "Chile" }))["code"]).toBe(
      2104,
    );
    expect(
      (await refusalOf(startValidationRoute, { ...start, ...back, idType: "LIBRARY_CARD" }))["code"],
    ).toBe(2103);
    const place = { city: "x", country: "QQQ" };
    expect((await refusalOf(digitalSignRoute, { signingLocation: place }))["errors"]).toContain(
      "signingLocation.country: is no ISO 3166-1 alpha-3 code",
    );
  });

  it("skip a field that the schema refused, and fields that depend on a wrong value", async () => {
    const asked = { ...start, documentBackRawImage: 5 };
    expect((await refusalOf(startValidationRoute, asked))["errors"]).toEqual([
      "documentBackRawImage: must be a string",
    ]);
    const unknownType = { ...start, idType: "FOO" };
    expect((await refusalOf(startValidationRoute, unknownType))["errors"]).toEqual([
      expect.stringMatching(/^idType: must be one of/),
    ]);
    for (const countryCode of ["chl", "QQQ", 5]) {
      const front = { tokenFrontDocument: "A", countryCode };
      expect((await refusalOf(extractDocumentDataWebRoute, front))["errors"]).toEqual([
        expect.stringMatching(/^countryCode: /),
      ]);
    }
    const known = { tokenFrontDocument: "A", countryCode: "CHL" };
    expect((await refusalOf(extractDocumentDataWebRoute, known))["errors"]).toEqual([
      "tokenBackDocument: is required unless countryCode is PSP",
    ]);
  });

  it("name fields of their own request for refused inputs", () => {
    for (const { name, request, inputs = {} } of routes) {
      const known = Object.keys(Type.IsObject(request) ? request.properties : {});
      for (const field of Object.values(inputs).flat()) expect(known, name).toContain(field);
    }
  });

  it("ask for one of template and image, and of token and template", () => {
    expect(lackingOfUser({})).toEqual(["registeredTemplateRaw", "bestImageToken"]);
    expect(lackingOfUser({ image: "A", template: "A" })).toEqual([]);
    expect(lackingOfUser({ registeredTemplateRaw: "A", bestImageToken: "" })).toEqual(["bestImageToken"]);
  });
});

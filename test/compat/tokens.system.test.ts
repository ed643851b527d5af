import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type Client, makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { refusalTexts } from "#record/transactions/judge-token-use";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import { drawCases, persons, toBase64 } from "../harness/images.ts";
import { openTenant } from "../harness/tenant.ts";

/** Calls of an existing client of the interface, with its tokens, pictures and repetitions. */
let client: Client;
let keys: PublishedKeys;

beforeAll(async () => {
  const { url, apiKey } = await openTenant();
  client = makeClient(url, apiKey);
  keys = await fetchPublishedKeys(url);
});

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
const seal = (kind: TokenKind, payload: Uint8Array, now = new Date()): Promise<string> =>
  sealToken({ keys, kind, payload, now });
const portrait = toBase64(persons.portrait);

const liveness = (imageBuffer: string, operationId?: string) =>
  client.post("/services/evaluatePassiveLivenessToken", {
    imageBuffer,
    ...(operationId !== undefined && { tracking: { operationId } }),
  });
const identity = (bestImageToken: string, operationId?: string, change: object = {}) =>
  client.post("/onboarding/v2/identity", {
    method: "3",
    token1: portrait,
    bestImageToken,
    ...(operationId !== undefined && { tracking: { operationId } }),
    ...change,
  });
const authenticate = (userId: string, bestImageToken: string, operationId?: string, change: object = {}) =>
  client.post("/services/authenticateUser/v2", {
    userId,
    merchantReferenceId: "login-1",
    image: portrait,
    bestImageToken,
    ...(operationId !== undefined && { tracking: { operationId } }),
    ...change,
  });
const replayed = { status: 409, body: { failure: "token_replayed" } };
const approved = { status: 200, body: { outcome: "approved" } };

describe("one capture", () => {
  it("serves liveness, identity and authenticateUser of one operation, and no other operation", async () => {
    const [token, operation, attack] = [await seal("best-image", persons.selfie), randomUUID(), randomUUID()];
    expect(await liveness(token, operation)).toMatchObject(approved);
    const usedByAnother = { reason: refusalTexts["other-operation"] };
    expect(await identity(token, attack)).toMatchObject(replayed);
    expect(await identity(token, attack)).toMatchObject({ body: { facts: usedByAnother } });
    expect(await identity(token)).toMatchObject({
      body: { facts: { reason: refusalTexts["no-operation"] } },
    });
    expect(await identity(token, operation)).toMatchObject(approved);
    expect(await authenticate("one-capture", token, attack)).toMatchObject(replayed);
    expect(await authenticate("one-capture", token, operation)).toMatchObject(approved);
  });

  it("gives a byte-equal retry the stored answer, and no other request of its kind", async () => {
    const token = await seal("best-image", persons.selfie);
    const first = await identity(token);
    expect(first).toMatchObject(approved);
    expect((await identity(token)).body).toEqual(first.body);
    expect(await identity(token, undefined, { token1: toBase64(persons.selfie) })).toMatchObject(replayed);
  });
});

describe("a stored reference", () => {
  it("works after eleven minutes if it is a face image, and a selfie does not", async () => {
    const reference = await seal("face-image", persons.portrait, minutesAgo(11));
    const fresh = () => seal("best-image", persons.selfie);
    const change = { registeredTemplateRaw: reference, image: "" };
    expect(await authenticate("old-reference", await fresh(), undefined, change)).toMatchObject(approved);
    expect(await authenticate("old-reference", await fresh(), undefined, change)).toMatchObject(approved);
    const old = await seal("best-image", persons.selfie, minutesAgo(11));
    const late = { status: 422, body: { failure: "token_expired" } };
    expect(await authenticate("old-reference", old, undefined, change)).toMatchObject(late);
    const asReference = { method: "5", token1: old };
    expect(await identity(await fresh(), undefined, asReference)).toMatchObject(late);
  });

  it("may be the token of a selfie", async () => {
    const token1 = await seal("best-image", persons.portrait);
    const best = await seal("best-image", persons.selfie);
    expect(await identity(best, undefined, { method: "5", token1 })).toMatchObject(approved);
  });
});

describe("a plain image in the place of a token", () => {
  it("is judged for a test key in any number of calls, and an equal request gets the stored answer", async () => {
    const plain = toBase64(persons.selfie);
    const first = await identity(plain);
    expect(first).toMatchObject(approved);
    expect((await identity(plain)).body).toEqual(first.body);
    expect(await identity(plain, randomUUID(), { method: "5", token1: portrait })).toMatchObject(approved);
    expect(await liveness(plain, randomUUID())).toMatchObject(approved);
    expect(await liveness(plain)).toMatchObject(approved);
  });
});

describe("a document's portrait", () => {
  it("is answered as a token that method 5 takes", async () => {
    const { genuine } = await drawCases();
    if (genuine === undefined) throw new Error("The demo has no genuine document");
    const document = await client.post("/services/extractDocumentDataWeb", {
      tokenFrontDocument: await seal("document-image", genuine.document),
      countryCode: "PSP",
      decompose: true,
    });
    expect(document.status).toBe(200);
    const token1 = tokenIn(document.body);
    const best = await seal("best-image", genuine.selfie);
    expect(await identity(best, undefined, { method: "5", token1 })).toMatchObject(approved);
    const face = await client.post("/verify/pad/diagnostic", {
      frontSideImage: await seal("document-image", genuine.document),
      backSideImage: await seal("document-image", genuine.document),
      face: await seal("best-image", genuine.selfie),
      tokenized: true,
      countryCode: "UTO",
      idType: "PASSPORT",
    });
    expect(face.status).toBe(200);
  });
});

/** `DECOMPOSED.FACE_TOKEN` of the JSON text in the answer. */
const tokenIn = (body: unknown): string => {
  const text = /"serviceDocument":"((?:[^"\\]|\\.)*)"/.exec(JSON.stringify(body))?.[1] ?? "";
  return /"FACE_TOKEN":"([^"]+)"/.exec(JSON.parse(`"${text}"`))?.[1] ?? "";
};

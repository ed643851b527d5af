import { request } from "node:http";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Client, makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { createTokenKey, publishKeys } from "#trust/tokens/keys";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import {
  animatedGif,
  drawFarAway,
  drawWithoutFace,
  makeBomb,
  pdf,
  persons,
  readGroup,
  toBase64,
} from "./harness/images.ts";
import { openTenant, type Tenant } from "./harness/tenant.ts";

const identity = "/onboarding/v2/identity";
const liveness = "/services/evaluatePassiveLiveness";
const validation = "/verify/documentValidation/v2";

let tenant: Tenant;
let otherTenant: Tenant;
let client: Client;
let impostor: Client;
let keys: PublishedKeys;
let blobs = 0;

beforeAll(async () => {
  [tenant, otherTenant] = [await openTenant(), await openTenant()];
  client = makeClient(tenant.url, tenant.apiKey);
  impostor = makeClient(otherTenant.url, otherTenant.apiKey);
  keys = await fetchPublishedKeys(tenant.url);
});

const countBlobFiles = async (): Promise<number> =>
  (await tenant.countBlobFiles()) + (await otherTenant.countBlobFiles());

// A refused call must not leave a file behind.
beforeEach(async () => {
  blobs = await countBlobFiles();
});
afterEach(async () => {
  expect(await countBlobFiles()).toBe(blobs);
});

const selfie = toBase64(persons.selfie);
const seal = (kind: TokenKind, ageMs = 0, to = keys) =>
  sealToken({ keys: to, kind, payload: persons.selfie, now: new Date(Date.now() - ageMs) });
const start = (documentFrontRawImage: unknown) =>
  client.post(`${validation}/start`, { country: "CHL", idType: "PASSPORT", documentFrontRawImage });

const send = (bestImageToken: string) =>
  client.post(identity, { token1: selfie, bestImageToken, method: "3" });

/** Announces a body of this length, sends only its first bytes, and returns the status of the answer. */
const announce = (bytes: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const call = request(`${tenant.url}${liveness}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": tenant.apiKey, "content-length": bytes },
    });
    call.once("error", reject);
    call.once("response", ({ statusCode }) => {
      resolve(statusCode);
      call.destroy();
    });
    call.write('{"imageBuffer":"');
  });

describe("fields", () => {
  it.each([
    [{}],
    [{ token1: 5, bestImageToken: true, method: "9" }],
    [{ token1: null, bestImageToken: [], method: {} }],
  ])("that are missing or of a wrong type are all named at once: %j", async (body) => {
    const answer = await client.post(identity, body);
    expect(answer).toMatchObject({ status: 400, body: { status: 400, failure: "request_invalid" } });
    const text = JSON.stringify(answer.body);
    for (const field of ["token1", "bestImageToken", "method"]) {
      expect(text).toContain(field);
    }
  });

  it("that are unknown are ignored", async () => {
    const answer = await client.post(liveness, {
      imageBuffer: selfie,
      vendorExtra: { a: 1 },
      tracking: undefined,
    });
    expect(answer.status).toBe(200);
  });

  it("cannot reach the prototype", async () => {
    const body = JSON.parse(
      `{"imageBuffer":"${selfie}","__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}`,
    );
    const answer = await client.post(liveness, body);
    expect(answer).toMatchObject({ status: 200, body: { serviceLivenessResult: expect.any(Number) } });
    expect(
      (
        await client.post(
          identity,
          JSON.parse('{"__proto__":{"token1":"a","bestImageToken":"b","method":"3"}}'),
        )
      ).status,
    ).toBe(400);
  });

  it("cannot be more than the body's limit", async () => {
    // A client that waits for the answer gets it before it has sent its 40 MB …
    expect(await announce(40_000_000)).toBe(413);
    // … and a client that keeps sending may find its connection closed, without harm to other calls.
    await Promise.allSettled([client.post(liveness, { imageBuffer: "A".repeat(40_000_000) })]);
    expect((await client.get("/healthz")).status).toBe(200);
  });
});

describe("a document image", () => {
  const half = persons.selfie.subarray(0, persons.selfie.length >> 1);
  it.each([
    ["no Base64", "this is no Base64 !", 400],
    ["empty", "", 400],
    ["cut off", toBase64(half), 422],
    ["an image bomb", toBase64(makeBomb()), 422],
    ["a PDF", toBase64(pdf), 422],
    ["an animated GIF", toBase64(animatedGif), 422],
    ["text", toBase64(Buffer.from("hello, this is text and no picture")), 422],
  ] as const)("that is %s is refused", async (_, image, status) => {
    const answer = await start(image);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(answer.body).toMatchObject({
      status,
      title: expect.any(String),
      detail: expect.any(String),
    });
  });
});

describe("an image that is not judged for liveness", () => {
  const image = toBase64(persons.selfie);
  const other = toBase64(pdf);
  const places = [
    [
      "/onboarding/v2/identity",
      "token1",
      async () => ({ method: "3", bestImageToken: await seal("best-image") }),
    ],
    ["/services/authenticateFacial", "token1", async () => ({ method: "1", token2: image })],
    ["/services/authenticateFacial", "token2", async () => ({ method: "1", token1: image })],
    ["/services/extractFacial", "tokenBuffer", async () => ({})],
    [`${validation}/start`, "documentFrontRawImage", async () => ({ country: "CHL", idType: "PASSPORT" })],
    [
      `${validation}/start`,
      "documentBackRawImage",
      async () => ({ country: "CHL", idType: "ID_CARD", documentFrontRawImage: image }),
    ],
    [
      "/verify/documentValidation/start",
      "frontsideImage",
      async () => ({ country: "CHL", idType: "PASSPORT" }),
    ],
  ] as const;

  it.each(places)("is refused in the same way: by %s in %s", async (path, field, rest) => {
    const body = { ...(await rest()) };
    expect(await client.post(path, { ...body, [field]: other })).toMatchObject({
      status: 422,
      body: {
        failure: "image_unsupported",
        errors: [`${field}: is of a format that is not served`],
        facts: { field, sent: "pdf", supported: ["jpeg", "png", "webp", "avif"] },
      },
    });
    expect(await client.post(path, { ...body, [field]: toBase64(makeBomb()) })).toMatchObject({
      status: 422,
      body: { failure: "image_too_large", facts: { field, width: 30_000, height: 30_000 } },
    });
    const bytesMax = 12 * 1024 ** 2;
    expect(await client.post(path, { ...body, [field]: toBase64(Buffer.alloc(bytesMax + 1)) })).toMatchObject(
      {
        status: 422,
        body: {
          failure: "image_too_large",
          errors: [`${field}: has more than ${bytesMax} bytes`],
          facts: { field, bytesMax },
        },
      },
    );
  });

  it("is refused in a token as without one", async () => {
    const token = (kind: TokenKind) => sealToken({ keys, kind, payload: pdf, now: new Date() });
    const cases = [
      ["/services/authenticateFacial", "token1", { method: "4", token2: image }, "face-image"],
      ["/services/extractDocumentDataWeb", "tokenFrontDocument", { countryCode: "PSP" }, "document-image"],
    ] as const;
    for (const [path, field, rest, kind] of cases) {
      expect(await client.post(path, { ...rest, [field]: await token(kind) })).toMatchObject({
        status: 422,
        body: { failure: "image_unsupported", facts: { field, sent: "pdf" } },
      });
    }
  });
});

describe("a selfie", () => {
  const half = persons.selfie.subarray(0, persons.selfie.length >> 1);
  it.each([
    ["cut off", async () => half, 9],
    ["an image bomb", async () => makeBomb(), 9],
    ["a PDF", async () => pdf, 9],
    ["an animated GIF", async () => animatedGif, 9],
    ["without a face", drawWithoutFace, 6],
    ["with several faces", readGroup, 12],
    ["with a face too small", drawFarAway, 7],
  ] as const)("that is %s has its own number", async (_, image, number) => {
    const answer = await client.post(liveness, { imageBuffer: toBase64(await image()) });
    expect(answer).toMatchObject({ status: 200, body: { serviceLivenessResult: number } });
  });
});

describe("a reference", () => {
  it("that is unknown and a reference of another tenant get the same answer to the byte", async () => {
    const withoutFace = await drawWithoutFace();
    const known = await impostor.post(`${validation}/start`, {
      country: "CHL",
      idType: "PASSPORT",
      documentFrontRawImage: toBase64(withoutFace),
    });
    // Also shows that the count includes the files of an accepted call.
    expect(await countBlobFiles()).toBeGreaterThan(blobs);
    blobs = await countBlobFiles();
    const { scanReference } = Object(known.body);
    const answers = await Promise.all(
      [scanReference, "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"].map((one) =>
        fetch(`${tenant.url}${validation}/status`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": tenant.apiKey },
          body: JSON.stringify({ scanReference: one }),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const [foreign, unknown] = await Promise.all(answers.map((answer) => answer.text()));
    expect(foreign).toBe(unknown);
  });
});

describe("a token", () => {
  /** Every field that takes a token, with the other fields of its endpoint. */
  const fields = [
    [identity, "bestImageToken", { token1: selfie, method: "3" }],
    ["/services/authenticateFacial", "token2", { token1: selfie, method: "3" }],
    ["/services/evaluatePassiveLivenessToken", "imageBuffer", {}],
    ["/services/extractDocumentData", "tokenOcr", {}],
    ["/services/extractDocumentDataWeb", "tokenFrontDocument", { countryCode: "PSP" }],
  ] as const;

  it.each(fields)(
    "that is not valid Base64, or is truncated, is refused by %s before it is opened",
    async (...of) => {
      const [path, field, rest] = of;
      const refused = { status: 400, body: { code: 1401, errors: [`${field}: is not valid Base64`] } };
      for (const token of ["this is no token !", "SURNAQ1"]) {
        expect(await client.post(path, { ...rest, [field]: token })).toMatchObject(refused);
      }
      expect(await client.post(path, { ...rest, [field]: "" })).toMatchObject({
        status: 400,
        body: { code: 1400, errors: [`${field}: is empty`] },
      });
    },
  );

  it.each(fields)("with line breaks and a data: prefix is opened by %s", async (path, field, rest) => {
    const lines = (await seal("tracking")).replaceAll(/.{76}/g, "$&\r\n");
    const token = `data:application/octet-stream;base64,${lines}`;
    // The kind is reported only after a valid seal.
    expect(await client.post(path, { ...rest, [field]: token })).toMatchObject({
      status: 422,
      body: { failure: "token_wrong_kind" },
    });
  });

  it("of another kind is refused", async () => {
    expect(await send(await seal("template"))).toMatchObject({
      status: 422,
      body: { failure: "token_wrong_kind" },
    });
  });

  it("of another deployment is refused", async () => {
    const foreign = publishKeys({ current: await createTokenKey(new Date()) });
    expect(await send(await seal("best-image", 0, foreign))).toMatchObject({
      status: 422,
      body: { failure: "token_unreadable" },
    });
  });

  it("that is too old is refused", async () => {
    expect(await send(await seal("best-image", 11 * 60_000))).toMatchObject({
      status: 422,
      body: { failure: "token_expired" },
    });
  });

  it("that is changed is refused", async () => {
    const token = Buffer.from(await seal("best-image"), "base64");
    token[200]! ^= 1;
    expect(await send(token.toString("base64"))).toMatchObject({
      status: 422,
      body: { failure: "token_unreadable" },
    });
  });

  it("is judged once: an equal request gets the stored answer, another one is refused", async () => {
    const token = await seal("best-image");
    const first = await send(token);
    expect(first.status).toBe(200);
    blobs = await countBlobFiles();
    expect(await send(token)).toMatchObject({ status: 200, body: first.body });
    const other = await client.post(identity, { method: "3", token1: selfie, bestImageToken: token });
    expect(other).toMatchObject({ status: 409, body: { failure: "token_replayed" } });
  });
});

describe("a key", () => {
  it.each(["", "idem_test_wrong", "x".repeat(5000)])(
    "that is invalid is answered as the interface specifies",
    async (key) => {
      const answer = await makeClient(tenant.url, key).post(liveness, { imageBuffer: selfie });
      expect(answer).toMatchObject({ status: 401, body: { message: "Unauthorized" } });
    },
  );
});

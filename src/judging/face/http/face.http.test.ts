import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, describe, expect, it } from "vitest";
import type { Call, Endpoint } from "#contract/endpoint";
import { makeRecordCall } from "#record/transactions/record-call";
import { openRecordingStore } from "#support/app/recording-store";
import { drawImage } from "#support/face/drawn-images";
import { imageOf, openFaceEngine } from "#support/face/images";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { openUnrulyPool } from "#support/threads/unruly-pool";
import { openTokens, tokenAgeMs } from "#support/tokens/open-tokens";
import { openHashAuthentication } from "#support/transactions/hash-authentication";
import { untracked } from "#support/transactions/untracked";
import type { TokenKind } from "#trust/tokens/token";
import { makeAuthenticateFacial } from "../authenticate-facial.ts";
import { makeDetokenize } from "../detokenize.ts";
import { makeEvaluateLiveness } from "../evaluate-liveness.ts";
import { makeExtractAttributes } from "../extract-attributes.ts";
import type { FaceEngine } from "../measurement.ts";
import { defaultFacePolicy } from "../policy.ts";
import type { FaceService } from "../service.ts";
import type { JudgingCall } from "../use-best-image.ts";
import { makeVerifyIdentity } from "../verify-identity.ts";
import { authenticateFacialEndpoint } from "./authenticate-facial.endpoint.ts";
import { detokenizeEndpoint } from "./detokenize.endpoint.ts";
import {
  evaluatePassiveLivenessEndpoint,
  evaluatePassiveLivenessTokenEndpoint,
} from "./evaluate-passive-liveness.endpoint.ts";
import { extractFacialEndpoint } from "./extract-facial.endpoint.ts";
import { identityEndpoint } from "./identity.endpoint.ts";

const bytesMax = 8_000_000;
const now = new Date();
const engine = recordedFaceEngine();
const { openToken, seal } = await openTokens(now);
const folder = await mkdtemp(path.join(tmpdir(), "idem-face-"));
const store = await openRecordingStore(path.join(folder, "idem.sqlite"));
const tenants = [randomUUID(), randomUUID()] as const;
for (const id of tenants) await store.createTenant({ id, name: id, createdAt: now });
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** The operator's reports. */
const reported: { readonly note: string; readonly error: unknown }[] = [];
const service: FaceService = {
  engine: { measure: engine.measure },
  store,
  recordCall: makeRecordCall(store, untracked),
  openToken,
  hashAuthentication: openHashAuthentication(store),
  policy: defaultFacePolicy,
  bestImages: { uses: "operation", ageMs: tokenAgeMs },
  onError: (note, error) => reported.push({ note, error }),
};
const identityOf = (using: FaceService) => identityEndpoint(makeVerifyIdentity(using), bytesMax);
const authenticateOf = (using: FaceService) =>
  authenticateFacialEndpoint(makeAuthenticateFacial(using), bytesMax);
const evaluateOf = (using: FaceService) =>
  evaluatePassiveLivenessEndpoint(makeEvaluateLiveness(using), bytesMax);
const evaluateTokenOf = (using: FaceService) =>
  evaluatePassiveLivenessTokenEndpoint(makeEvaluateLiveness(using));
const extractOf = (using: FaceService) => extractFacialEndpoint(makeExtractAttributes(using), bytesMax);
const identity = identityOf(service);
/** The service of an operator who asks one kind of call for the level active-turn. */
const withLevelMin = (call: JudgingCall): FaceService => ({
  ...service,
  bestImages: {
    ...service.bestImages,
    levelMin: {
      liveness: "passive",
      identity: "passive",
      authenticateUser: "passive",
      [call]: "active-turn",
    },
  },
});
const unasked: FaceEngine = { measure: () => Promise.reject(new Error("The engine measured")) };
const authenticate = authenticateOf(service);
const evaluate = evaluateOf(service);
const evaluateToken = evaluateTokenOf(service);
const extract = extractOf(service);
/** The service over the networks: one good case of each endpoint goes through them. */
const measuring: FaceService = { ...service, engine: { measure: openFaceEngine().measure } };
const detokenize = detokenizeEndpoint(makeDetokenize(service));

const ask = async (
  endpoint: Endpoint,
  request: unknown,
  tenantId: string = tenants[0],
  environment: "live" | "test" = "test",
) => {
  const call: Call<unknown> = {
    request,
    caller: { tenantId, keyId: randomUUID(), environment },
    transactionId: randomUUID(),
    requestId: randomUUID(),
    receivedAt: new Date(),
    signal: new AbortController().signal,
    elapsedMs: () => 12,
  };
  const answer = await endpoint.handle(call);
  return { answer, id: call.transactionId };
};
const sealed = (payload: Uint8Array, kind: TokenKind = "best-image", at = new Date()) =>
  seal(kind, payload, at);
const broken = (text: string) => text.replaceAll(/.{76}/g, "$&\r\n");
const prefixed = (text: string) => `data:application/octet-stream;base64,${text}`;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
const [portrait, selfie, other] = ["franck_02159.jpg", "franck_04035.jpg", "cage.jpg"].map(imageOf);

describe("the tracking of a call", () => {
  it("reaches the record of the call, and is not stored with it", async () => {
    const seen: unknown[] = [];
    const recordCall: FaceService["recordCall"] = async (call, entry) => {
      seen.push(call.tracking);
      await service.recordCall(call, entry);
    };
    const endpoint = evaluateOf({ ...service, recordCall });
    const tracking = { operationId: randomUUID(), extraData: "QUJD" };
    const { id } = await ask(endpoint, { imageBuffer: base64(selfie!), tracking });
    expect(seen).toEqual([tracking]);
    expect(JSON.stringify(await store.findTransaction(tenants[0], id))).not.toContain(tracking.operationId);
  });
});

describe("POST /onboarding/v2/identity", () => {
  it("rejects no person because of another face of any size, and approves no person beside one", async () => {
    const beside = await drawImage(engine, "a smaller face beside the subject");
    for (const twoFaces of [beside, await drawImage(engine, "two faces of one size")]) {
      const measured = await engine.measure(twoFaces, {});
      expect(measured.kind === "measured" && measured.faceWidths.length).toBe(2);
      const { answer } = await ask(identity, {
        token1: base64(portrait!),
        bestImageToken: await sealed(twoFaces),
        method: "3",
      });
      expect(answer).toMatchObject({ passiveLivenessResult: 12, outcome: "retry" });
      expect(answer).not.toMatchObject({ facialAuthenticationResult: 1 });
      expect(await authenticated("1", base64(twoFaces), base64(portrait!))).not.toMatchObject({
        outcome: "rejected",
      });
    }
    // The impostor is the subject of the smaller one: his Negative must not be reported.
    const none = {
      serviceFacialAuthenticationResult: 0,
      serviceFacialSimilarityResult: 0,
      outcome: "retry",
    };
    expect(await authenticated("1", base64(beside), base64(portrait!))).toMatchObject(none);
    expect(await authenticated("1", base64(portrait!), base64(beside))).toMatchObject(none);
  });

  it("approves the person of the reference and keeps a record without an image", async () => {
    const { answer, id } = await ask(identityOf(measuring), {
      token1: base64(portrait!),
      bestImageToken: await sealed(selfie!),
      method: "3",
    });
    expect(answer).toMatchObject({
      serviceResultCode: 0,
      facialAuthenticationResult: 3,
      facialAuthenticationLog: "Positive",
      passiveLivenessResult: 3,
      passiveLivenessLog: "Live",
      outcome: "approved",
    });
    const record = await store.findTransaction(tenants[0], id);
    expect(record).toMatchObject({ endpoint: "identity", result: { facial: 3, liveness: 3 } });
    expect(Object.keys(record!.models).toSorted()).toEqual(
      ["blazeface", "dlib-resnet", "face-cohort", "faceres", "facemesh", "iris"].toSorted(),
    );
    expect(JSON.stringify(record)).not.toMatch(/"(fingerprint|template|ageYears|maleness|attributes)"/);
  });

  it("rejects another person, a face on a telephone, and the reference sent again", async () => {
    const token1 = await sealed(portrait!, "face-image");
    const result = async (bestImage: Uint8Array) =>
      (await ask(identity, { token1, bestImageToken: await sealed(bestImage), method: "5" })).answer;
    expect(await result(other!)).toMatchObject({ facialAuthenticationResult: 1, outcome: "rejected" });
    expect(await result(await drawImage(engine, "a face on a telephone"))).toMatchObject({
      passiveLivenessResult: 17,
      outcome: "rejected",
    });
    expect(await result(portrait!)).toMatchObject({
      facialAuthenticationResult: 3,
      passiveLivenessResult: 17,
    });
  });

  it("asks a person who is too far away or out of focus to try again, without a rejection", async () => {
    for (const name of ["a face far away", "a face out of focus"] as const) {
      const bestImageToken = await sealed(await drawImage(engine, name));
      const { answer } = await ask(identity, { token1: base64(portrait!), bestImageToken, method: "3" });
      expect(answer).toMatchObject({ facialAuthenticationResult: 5, outcome: "retry" });
    }
  });

  it("judges a best image once in its tenant", async () => {
    const request = { token1: base64(portrait!), bestImageToken: await sealed(selfie!), method: "3" };
    await ask(identity, request);
    await expect(ask(identity, request)).rejects.toMatchObject({ code: "token_replayed" });
    expect((await ask(identity, request, tenants[1])).answer).toMatchObject({ outcome: "approved" });
  });

  it("refuses a plain token where the operator asks for a rotation of the head, and leaves it unused", async () => {
    const request = { token1: base64(portrait!), bestImageToken: await sealed(selfie!), method: "3" };
    const strict = identityOf({ ...withLevelMin("identity"), engine: unasked });
    expect(strict.route.failures).toContain("liveness_level_too_low");
    await expect(ask(strict, request)).rejects.toMatchObject({
      code: "liveness_level_too_low",
      facts: { levelMin: "active-turn", level: "none" },
    });
    const others = identityOf(withLevelMin("liveness"));
    expect((await ask(others, request)).answer).toMatchObject({ outcome: "approved" });
  });

  it("answers ImageDataError for a best image that is not an image, and fails for such a reference", async () => {
    const bestImageToken = await sealed(new TextEncoder().encode("no picture"));
    expect(
      (await ask(identity, { token1: base64(portrait!), bestImageToken, method: "3" })).answer,
    ).toMatchObject({
      facialAuthenticationResult: 5,
      facialAuthenticationSimilarity: 0,
      passiveLivenessResult: 9,
      outcome: "retry",
    });
    const token1 = base64(new TextEncoder().encode("no picture at all"));
    const fresh = await sealed(selfie!);
    await expect(ask(identity, { token1, bestImageToken: fresh, method: "3" })).rejects.toMatchObject({
      code: expect.stringMatching(/^image_/),
    });
    expect(
      (await ask(identity, { token1: base64(portrait!), bestImageToken: fresh, method: "3" })).answer,
    ).toMatchObject({ outcome: "approved" });
  });

  it("reports that the engine broke, and accepts the same token again", async () => {
    const pool = await openUnrulyPool();
    const breaking: FaceEngine = { measure: () => pool.run("die", { value: 0 }) };
    const request = { token1: base64(portrait!), bestImageToken: await sealed(selfie!), method: "3" };
    expect((await ask(identityOf({ ...service, engine: breaking }), request)).answer).toMatchObject({
      facialAuthenticationResult: 0,
      passiveLivenessResult: 10,
      outcome: "error",
    });
    await pool.close();
    expect(reported).toContainEqual({
      note: expect.stringContaining("engine broke"),
      error: expect.objectContaining({ code: "engine_failed" }),
    });
    expect((await ask(identity, request)).answer).toMatchObject({ outcome: "approved" });
  });

  it("refuses a token of another kind", async () => {
    const bestImageToken = await sealed(selfie!, "face-image");
    await expect(
      ask(identity, { token1: base64(portrait!), bestImageToken, method: "3" }),
    ).rejects.toMatchObject({ code: "token_wrong_kind" });
  });
});

const authenticated = async (method: string, token1: string, token2: string, by = authenticate) =>
  (await ask(by, { method, token1, token2 })).answer;

describe("the authentication hash", () => {
  /** The hash of a call, made again from what the store holds. */
  const storedHashOf = async (id: string) => {
    const record = await store.findTransaction(tenants[0], id);
    return record && (await service.hashAuthentication(record));
  };

  it("answers a positive call, can be made again from its record, and changes with an open image", async () => {
    const method = "3";
    const bestImageToken = base64(selfie!);
    const first = await ask(identity, { token1: base64(portrait!), bestImageToken, method });
    expect(first.answer).toHaveProperty("facialAuthenticationHash", await storedHashOf(first.id));
    const record = await store.findTransaction(tenants[0], first.id);
    expect(record?.measurements).toHaveProperty("imageHashes", [expect.stringMatching(/^[0-9a-f]{64}$/)]);
    const two = { token1: base64(portrait!), token2: base64(selfie!), method: "1" };
    const second = await ask(authenticate, two);
    expect(second.answer).toHaveProperty("facialAuthenticationHash", await storedHashOf(second.id));
  });

  it("is absent from an answer that is not positive", async () => {
    const copy = await sealed(portrait!);
    const request = { token1: base64(portrait!), bestImageToken: copy, method: "3" };
    expect((await ask(identity, request)).answer).not.toHaveProperty("facialAuthenticationHash");
    const two = { token1: base64(portrait!), token2: base64(other!), method: "1" };
    expect((await ask(authenticate, two)).answer).not.toHaveProperty("facialAuthenticationHash");
  });
});

describe("POST /services/authenticateFacial", () => {
  it("compares images, face-image tokens and template tokens by its five methods", async () => {
    const measured = await engine.measure(portrait!, { template: true });
    const template = await sealed(
      measured.kind === "measured" ? measured.template! : new Uint8Array(),
      "template",
    );
    const image = base64(selfie!);
    const face = await sealed(selfie!, "face-image");
    const positive = { serviceFacialAuthenticationResult: 3, outcome: "approved" };
    const byNetworks = authenticateOf(measuring);
    expect(await authenticated("1", base64(portrait!), image, byNetworks)).toMatchObject(positive);
    expect(await authenticated("2", template, template)).toMatchObject(positive);
    expect(await authenticated("3", image, template)).toMatchObject(positive);
    expect(await authenticated("4", face, base64(portrait!))).toMatchObject(positive);
    expect(await authenticated("5", face, template)).toMatchObject(positive);
    expect(await authenticated("3", base64(other!), template)).toMatchObject({
      serviceFacialAuthenticationResult: 1,
    });
  });

  it("never compares a template of another model, or bytes that are not a template", async () => {
    const template = await sealed(new Uint8Array(4685), "template");
    expect(
      (await ask(authenticate, { method: "3", token1: base64(selfie!), token2: template })).answer,
    ).toMatchObject({
      serviceFacialAuthenticationResult: 5,
      serviceFacialSimilarityResult: 0,
      outcome: "retry",
    });
  });
});

describe("POST /services/evaluatePassiveLiveness and …Token", () => {
  it("answers for open and tokenized images, and for bytes that are not an image", async () => {
    const byNetworks = [evaluateOf(measuring), evaluateTokenOf(measuring)] as const;
    const answer = async (bytes: Uint8Array) =>
      (await ask(byNetworks[0], { imageBuffer: base64(bytes) })).answer;
    expect(await answer(selfie!)).toMatchObject({ serviceLivenessResult: 3, serviceResultLog: "Live" });
    expect(await answer(new TextEncoder().encode("no picture"))).toMatchObject({ serviceLivenessResult: 9 });
    const imageBuffer = await sealed(imageOf("franck_03979.jpg"));
    expect((await ask(byNetworks[1], { imageBuffer })).answer).toMatchObject({ serviceLivenessResult: 18 });
    await expect(ask(evaluateToken, { imageBuffer })).rejects.toMatchObject({ code: "token_replayed" });
  });
});

it("evaluatePassiveLiveness and …Token refuse an image below the operator's level, and leave a token unused", async () => {
  const strict = makeEvaluateLiveness({ ...withLevelMin("liveness"), engine: unasked });
  const refused = { code: "liveness_level_too_low" };
  const imageBuffer = await sealed(selfie!);
  const byToken = evaluatePassiveLivenessTokenEndpoint(strict);
  await expect(ask(byToken, { imageBuffer })).rejects.toMatchObject(refused);
  const open = evaluatePassiveLivenessEndpoint(strict, bytesMax);
  for (const { route } of [byToken, open]) expect(route.failures).toContain("liveness_level_too_low");
  await expect(ask(open, { imageBuffer: base64(selfie!) })).rejects.toMatchObject(refused);
  expect((await ask(evaluateToken, { imageBuffer })).answer).toMatchObject({ serviceLivenessResult: 3 });
});

describe("a token with several frames of one capture", () => {
  it("is judged by the motion between them, and the record states it", async () => {
    const imageBuffer = await sealed(await drawImage(engine, "three frames"));
    const { answer, id } = await ask(evaluateToken, { imageBuffer });
    expect(answer).toMatchObject({ serviceLivenessResult: 3 });
    expect(JSON.stringify(answer)).not.toMatch(/multi-frame|assurance/);
    const record = await store.findTransaction(tenants[0], id);
    expect(record!.measurements).toMatchObject({
      liveness: { assurance: "multi-frame", cues: { motion: expect.any(Number) } },
    });
  });

  it("is compared by its best image, which detokenize returns too", async () => {
    const bestImageToken = await sealed(await drawImage(engine, "two frames"));
    const { answer, id } = await ask(identity, { token1: base64(portrait!), bestImageToken, method: "3" });
    expect(answer).toMatchObject({ outcome: "approved" });
    const opened = await ask(detokenize, { bestImageToken, transactionId: id });
    expect(opened.answer).toMatchObject({ imageBuffer: base64(selfie!) });
  });
});

const extractionShape = Compile(Type.Object({ serviceFacialExtractionResult: Type.String() }));
const extractionOf = (answer: unknown): string => extractionShape.Parse(answer).serviceFacialExtractionResult;
const attributesShape = Compile(
  Type.Object({
    age: Type.Integer(),
    ageInterval: Type.Object({ from: Type.Integer(), to: Type.Integer(), coverage: Type.Number() }),
  }),
);

describe("POST /services/extractFacial", () => {
  it("estimates from an open image and from a token, as often as requested", async () => {
    const tokenBuffer = await sealed(selfie!);
    for (const [value, by] of [
      [base64(selfie!), extractOf(measuring)],
      [tokenBuffer, extract],
      [tokenBuffer, extract],
    ] as const) {
      const { answer } = await ask(by, { tokenBuffer: value });
      expect(answer).toMatchObject({
        serviceFacialExtractionResult: expect.stringContaining('"gender":"Male"'),
      });
    }
  });

  it("answers the age with an interval around it, and neither without a face", async () => {
    const extracted = async (image: Uint8Array): Promise<unknown> => {
      const { answer } = await ask(extract, { tokenBuffer: base64(image) });
      return JSON.parse(extractionOf(answer));
    };
    const found = attributesShape.Parse(await extracted(selfie!));
    const { age, ageInterval } = found;
    expect(ageInterval.coverage).toBe(0.9);
    expect(ageInterval.from).toBeLessThan(age);
    expect(ageInterval.to).toBeGreaterThan(age);
    expect(await extracted(imageOf("ironman.jpg"))).not.toHaveProperty("ageInterval");
  });

  it("distinguishes glasses, dark lenses and bare faces, and answers the gender None without a face", async () => {
    const extracted = async (image: Uint8Array) =>
      (await ask(extract, { tokenBuffer: base64(image) })).answer;
    expect(await extracted(await drawImage(engine, "a face with dark lenses"))).toMatchObject({
      serviceFacialExtractionResult: expect.stringContaining('"glasses":"Sun"'),
    });
    expect(await extracted(selfie!)).toMatchObject({
      serviceFacialExtractionResult: expect.stringContaining('"glasses":"None"'),
    });
    expect(await extracted(imageOf("walter2_crop.jpg"))).toMatchObject({
      serviceFacialExtractionResult: expect.stringContaining('"glasses":"Eye"'),
    });
    expect(await extracted(imageOf("ironman.jpg"))).toMatchObject({
      serviceFacialExtractionResult: expect.stringMatching(
        /^\{"glasses":null,"gender":"None","faceConfidence":/,
      ),
    });
  });
});

describe("Base64 fields", () => {
  const fieldsOf = [
    [identity, ["token1", "bestImageToken"], { method: "3" }],
    [identity, ["token1", "bestImageToken"], { method: "5" }],
    [authenticate, ["token1", "token2"], { method: "1" }],
    [authenticate, ["token1", "token2"], { method: "2" }],
    [authenticate, ["token1", "token2"], { method: "5" }],
    [evaluate, ["imageBuffer"], {}],
    [evaluateToken, ["imageBuffer"], {}],
    [extract, ["tokenBuffer"], {}],
    [detokenize, ["bestImageToken"], { transactionId: randomUUID() }],
  ] as const;

  it.each(fieldsOf)(
    "that are invalid are all named at once, images and tokens alike: $route.name %j",
    async (...of) => {
      const [endpoint, names, rest] = of;
      const cases = [
        ["no Base64 !", "is not valid Base64", 1401],
        ["QUJDRA=", "is not valid Base64", 1401],
        ["", "is empty", 1400],
      ] as const;
      for (const [value, message, code] of cases) {
        const fields = Object.fromEntries(names.map((name) => [name, value]));
        await expect(ask(endpoint, { ...fields, ...rest })).rejects.toMatchObject({
          code: "request_invalid",
          facts: { code, errors: names.map((name) => `${name}: ${message}`) },
        });
      }
    },
  );

  it("accept line breaks and a data: prefix, images and tokens alike", async () => {
    const bestImageToken = await sealed(selfie!);
    const request = {
      token1: broken(base64(portrait!)),
      bestImageToken: broken(bestImageToken),
      method: "3",
    };
    const { answer, id } = await ask(identity, request);
    expect(answer).toMatchObject({ outcome: "approved" });
    const opened = await ask(detokenize, { bestImageToken: prefixed(bestImageToken), transactionId: id });
    expect(opened.answer).toMatchObject({ imageBuffer: base64(selfie!) });
    const { answer: extracted } = await ask(extract, { tokenBuffer: prefixed(broken(bestImageToken)) });
    expect(extracted).toMatchObject({ serviceFacialExtractionResult: expect.stringContaining("Male") });
  });

  it("that are Base64 but not a token fail as a token, and so does a plain image of a live key", async () => {
    const unreadable = { code: "token_unreadable" };
    const noToken = base64(new TextEncoder().encode("neither a token nor a picture"));
    await expect(ask(evaluateToken, { imageBuffer: noToken })).rejects.toMatchObject(unreadable);
    const plain = { imageBuffer: base64(selfie!) };
    await expect(ask(evaluateToken, plain, tenants[0], "live")).rejects.toMatchObject(unreadable);
  });

  it("that are a plain image are judged for a test key, at the lowest level of assurance", async () => {
    const { answer, id } = await ask(evaluateToken, { imageBuffer: base64(selfie!) });
    expect(answer).toMatchObject({ serviceLivenessResult: 3 });
    expect(await store.findTransaction(tenants[0], id)).toMatchObject({
      result: { liveness: 3, unsealed: 1 },
      measurements: { liveness: { assurance: "unsealed" } },
    });
  });
});

describe("POST /services/detokenize", () => {
  it("returns the image only to the tenant whose transaction used the token", async () => {
    const bestImageToken = await sealed(selfie!);
    const request = { token1: base64(portrait!), bestImageToken, method: "3" };
    const { id } = await ask(identity, request);
    const { answer } = await ask(detokenize, { bestImageToken, transactionId: id.toUpperCase() });
    expect(answer).toMatchObject({ imageBuffer: base64(selfie!) });
    const foreign = await sealed(selfie!);
    const refused = [
      [{ bestImageToken, transactionId: id }, tenants[1]],
      [{ bestImageToken, transactionId: randomUUID() }, tenants[0]],
      [{ bestImageToken, transactionId: "\u0000" }, tenants[0]],
      [{ bestImageToken: foreign, transactionId: id }, tenants[0]],
    ] as const;
    for (const [body, tenant] of refused) {
      await expect(ask(detokenize, body, tenant)).rejects.toMatchObject({ code: "not_found", facts: {} });
    }
  });

  it("separates live and test, and answers as for a missing transaction", async () => {
    const bestImageToken = await sealed(selfie!);
    const request = { token1: base64(portrait!), bestImageToken, method: "3" };
    const { id } = await ask(identity, request, tenants[0], "live");
    const refusalOf = (transactionId: string) =>
      ask(detokenize, { bestImageToken, transactionId }).catch(({ code, message, facts }) => ({
        code,
        message,
        facts,
      }));
    const refusal = await refusalOf(id);
    expect(refusal).toMatchObject({ code: "not_found" });
    expect(refusal).toEqual(await refusalOf(randomUUID()));
    const { answer } = await ask(detokenize, { bestImageToken, transactionId: id }, tenants[0], "live");
    expect(answer).toMatchObject({ imageBuffer: base64(selfie!) });
  });

  it("records a transaction that names the opened one and opens nothing itself", async () => {
    const bestImageToken = await sealed(selfie!);
    const judged = await ask(identity, { token1: base64(portrait!), bestImageToken, method: "3" });
    const opened = await ask(detokenize, { bestImageToken, transactionId: judged.id });
    expect(opened.answer).toMatchObject({ transactionId: opened.id });
    expect(await store.findTransaction(tenants[0], opened.id)).toMatchObject({
      endpoint: "detokenize",
      result: { opened: judged.id },
      tokenHashes: [],
    });
    await expect(ask(detokenize, { bestImageToken, transactionId: opened.id })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

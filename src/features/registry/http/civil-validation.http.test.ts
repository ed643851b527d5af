import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeReadAuthentication } from "#features/signing/documents/read-authentication";
import { writeCapture } from "#judging/document/reading/ocr-container";
import { isPositive, makeCheckAuthentication } from "#record/transactions/authentication-hash";
import { drawSent } from "#support/document/http/sent-images";
import { drawImage } from "#support/face/drawn-images";
import { imageOf } from "#support/face/images";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { makeMemoryRegistry } from "#support/registry/memory-registry";
import { openCivil } from "#support/registry/open-civil";
import type { RegistryPerson } from "../registry.ts";

const patientMs = 180_000;
const registry = makeMemoryRegistry();
const civil = await openCivil(registry.find);
afterAll(civil.close);
const { tenantId, operations, store } = civil;

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const [portrait, selfie, other] = [
  imageOf("franck_02159.jpg"),
  imageOf("franck_04035.jpg"),
  imageOf("cage.jpg"),
];
const cards = {
  ECU: {
    front: await drawSent("the front of an Ecuadorian card"),
    back: await drawSent("the back of an Ecuadorian card"),
  },
  ARG: {
    front: await drawSent("the front of an Argentine card"),
    back: await drawSent("the back of an Argentine card"),
  },
  HND: {
    front: await drawSent("the front of a Honduran card"),
    back: await drawSent("the back of a Honduran card"),
  },
};
const faceEngine = recordedFaceEngine();

const ana: RegistryPerson = {
  fields: {
    documentNumber: "171003406-5",
    lastName: "Solís Prueba",
    firstName: "Ana María",
    dateOfBirth: "1990-01-01",
    gender: "F",
    nationality: "ECUATORIANA",
    address: "Calle 1",
    photoUrl: "https://registry.example/photo",
  },
  photo: portrait,
};
const numbers = { ECU: "1710034065", ARG: "30123456", HND: "0801199012345" } as const;

beforeEach(() => {
  registry.questions.length = 0;
  registry.onAsk = () => undefined;
  registry.hold(numbers.ECU, ana);
});

const web = (country: keyof typeof cards, change: object = {}) => ({
  operation: "FULL",
  platform: "WEB",
  countryCode: country,
  imageFrontDocument: base64(cards[country].front),
  imageBackDocument: base64(cards[country].back),
  documentCode: "V1234I5678",
  templateRaw: base64(selfie),
  ...change,
});
const facial = (change: object = {}) =>
  web("ECU", { operation: "FACIAL", documentNumber: numbers.ECU, ...change });
const codesOf = (body: { readonly civilDataValidation?: readonly { field: string; code: string }[] }) =>
  Object.fromEntries((body.civilDataValidation ?? []).map(({ field, code }) => [field, code]));
const evidence = () =>
  operations
    .query("select body from evidence_bodies where tenant_id = ? order by seq", tenantId)
    .map((row): Readonly<Record<string, unknown>> => JSON.parse(String(row["body"])));
const count = (table: string): number => operations.query(`select 1 from ${table}`).length;

describe("a civil validation with data and face", { timeout: patientMs }, () => {
  it("compares the document with the registry and the face with its photo, and hashes a positive answer", async () => {
    const { status, body } = await civil.postThroughNetworks(web("ECU", { returnPII: true }));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      serviceResultCode: 0,
      serviceResultLog: "[civilValidation] Service executed ok",
      serviceFacialAuthenticationResult: 3,
      civilServiceData: ana.fields,
      outcome: "approved",
    });
    expect(codesOf(body)).toMatchObject({
      documentNumber: "0",
      lastName: "0",
      firstName: "0",
      dateOfBirth: "0",
      gender: "0",
      nationality: "0",
      country: "4",
    });
    // Cards of Ecuador print no address.
    expect(codesOf(body)).toMatchObject({ address: "3" });
    expect(body.serviceFacialSimilarityResult).toBeGreaterThan(0.5);
    expect(body.serviceDocument.FIELDS.LAST_NAME.VALUE).toMatch(/SOL[IÍ]S PRUEBA/);
    expect(registry.questions).toEqual([
      {
        tenantId,
        environment: "test",
        transactionId: body.serviceTransactionId,
        country: "ECU",
        documentNumber: numbers.ECU,
        documentCode: "V1234I5678",
      },
    ]);
    const record = await store.findTransaction(tenantId, body.serviceTransactionId);
    expect(record?.result).toMatchObject({
      operation: "FULL",
      country: "ECU",
      registry: "person",
      facial: 3,
    });
    expect(JSON.stringify(record?.result)).not.toContain("Sol");
    expect(body.serviceFacialAuthenticationHash).toBe(await civil.hashAuthentication(record!));
    const readAuthentication = makeReadAuthentication({
      findTransaction: store.findTransaction,
      isPositive,
      checkAuthentication: makeCheckAuthentication(civil.hashAuthentication),
      ageMsMax: 600_000,
    });
    const { serviceTransactionId, serviceFacialAuthenticationHash: hash } = body;
    await expect(
      readAuthentication(
        { tenantId, keyId: "k", environment: "test" },
        { transaction: serviceTransactionId, hash },
        new Date(),
      ),
    ).resolves.toMatchObject({ endpoint: "civilValidation", similarity: body.serviceFacialSimilarityResult });
  });

  it("returns no personal data without returnPII", async () => {
    const { body } = await civil.post(web("ECU"));
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(["civilServiceData"]));
    expect(body).not.toHaveProperty("serviceDocument");
    expect(JSON.stringify(body)).not.toMatch(/sol[ií]s|171003406/i);
  });

  it("commits the evidence of a question before the question leaves, without the number", async () => {
    const seen: (Readonly<Record<string, unknown>> | undefined)[] = [];
    registry.onAsk = () => void seen.push(evidence().at(-1));
    const before = count("transactions");
    registry.hold(numbers.ECU, new Failure("upstream_failed"));
    const { status, body } = await civil.post(facial());
    expect([status, body.failure]).toEqual([502, "upstream_failed"]);
    expect(seen).toEqual([
      {
        transaction: expect.any(String),
        environment: "test",
        country: "ECU",
        connector: "local",
        legalBasis: "Test contract, article 6",
        purpose: "civilValidation",
        number: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(evidence().at(-1)).toEqual(seen[0]);
    expect(count("transactions")).toBe(before);
    registry.hold(numbers.ECU, new Failure("timed_out"));
    expect(await civil.post(facial())).toMatchObject({ status: 504, body: { message: "Request timed out" } });
    expect(evidence().at(-1)?.["number"]).toBe(seen[0]?.["number"]);
  });

  it("asks no registry for live keys, which has none", async () => {
    const token = await civil.seal("face-image", selfie);
    const live = await civil.post(facial({ templateRaw: token }), "live");
    expect(live).toMatchObject({
      status: 409,
      body: { failure: "registry_not_configured", facts: { country: "ECU" } },
    });
    expect(registry.questions).toEqual([]);
  });
});

describe("the faces of a civil validation", { timeout: patientMs }, () => {
  const resultOf = async (change: object, photo: Uint8Array | undefined = portrait) => {
    registry.hold(numbers.ECU, { fields: ana.fields, ...(photo && { photo }) });
    const { status, body } = await civil.post(facial(change));
    expect(status).toBe(200);
    const { serviceFacialAuthenticationResult: result, serviceFacialAuthenticationHash: hash } = body;
    expect(typeof hash).toBe(result === 3 ? "string" : "undefined");
    return [result, body.outcome];
  };
  const template = async () => {
    const measured = await faceEngine.measure(selfie, { template: true });
    if (measured.kind !== "measured" || measured.template === undefined)
      throw new Error("No template was made");
    return await civil.sealFor(tenantId, "template", measured.template);
  };

  it("are a template, a face image or a best image", async () => {
    expect(await resultOf({ templateRaw: await template() })).toEqual([3, "approved"]);
    expect(await resultOf({ templateRaw: await civil.seal("face-image", selfie) })).toEqual([3, "approved"]);
    expect(await resultOf({ templateRaw: await civil.seal("best-image", selfie) })).toEqual([3, "approved"]);
    expect(await resultOf({ templateRaw: await civil.seal("face-image", other) })).toEqual([1, "rejected"]);
    const wrong = await civil.post(facial({ templateRaw: await civil.seal("ocr", selfie) }));
    expect(wrong).toMatchObject({
      status: 422,
      body: { failure: "token_wrong_kind", facts: { field: "templateRaw" } },
    });
  });

  it("count with the lower result where a best image comes too", async () => {
    expect(await resultOf({ bestImage: base64(selfie) })).toEqual([3, "approved"]);
    expect(await resultOf({ bestImage: base64(other) })).toEqual([1, "rejected"]);
    expect(await resultOf({ templateRaw: base64(other), bestImage: base64(selfie) })).toEqual([
      1,
      "rejected",
    ]);
    const damaged = await civil.post(facial({ bestImage: base64(Buffer.from("no image")) }));
    expect(damaged).toMatchObject({ body: { facts: { field: "bestImage" } } });
    expect(damaged.status).toBe(422);
  });

  it("have a declared number where the photo is absent, no image, without a face, or shows two", async () => {
    const both = await drawImage(faceEngine, "two faces of one size");
    const grey = await drawImage(faceEngine, "a grey wall");
    expect(await resultOf({ templateRaw: base64(selfie) }, new Uint8Array())).toEqual([5, "retry"]);
    expect(await resultOf({}, Buffer.from("<html>not found</html>"))).toEqual([5, "retry"]);
    expect(await resultOf({}, grey)).toEqual([5, "retry"]);
    const [result] = await resultOf({ templateRaw: base64(imageOf("audrey.jpg")) }, both);
    expect(result).toBe(0);
    registry.hold(numbers.ECU, { fields: ana.fields });
    expect((await civil.post(facial())).body).toMatchObject({
      serviceFacialAuthenticationResult: 0,
      outcome: "retry",
    });
  });
});

describe("the person of a registry", { timeout: patientMs }, () => {
  it("that it does not have gets code 5, and no face is compared", async () => {
    const unknown = "0912345675";
    const data = await civil.post(web("ECU", { operation: "DATA", documentNumber: unknown }));
    expect(new Set(Object.values(codesOf(data.body)))).toEqual(new Set(["5"]));
    expect(Object.keys(codesOf(data.body))).toContain("lastName");
    expect(data.body).toMatchObject({
      outcome: "rejected",
      serviceResultLog: "[civilValidation] The registry has no person with this number",
    });
    const face = await civil.post(facial({ documentNumber: unknown, returnPII: true }));
    expect(codesOf(face.body)).toEqual({ documentNumber: "5" });
    expect(face.body).toMatchObject({ serviceFacialAuthenticationResult: 0, outcome: "rejected" });
    expect(face.body).not.toHaveProperty("civilServiceData");
  });

  it.each([
    ["another number", "0912345675"],
    ["a number that is none", "sin número"],
  ])("with %s than asked is no answer to the question: 502", async (_, documentNumber) => {
    registry.hold(numbers.ECU, { ...ana, fields: { ...ana.fields, documentNumber } });
    expect(await civil.post(facial())).toMatchObject({ status: 502, body: { failure: "upstream_failed" } });
  });

  it("is not approved by the number of the call where the document shows nothing", async () => {
    const face = base64(selfie);
    const { body } = await civil.post(
      web("ECU", { documentNumber: numbers.ECU, imageFrontDocument: face, imageBackDocument: face }),
    );
    expect(codesOf(body)).toMatchObject({ documentNumber: "0", lastName: "3" });
    expect([body.serviceFacialAuthenticationResult, body.outcome]).toEqual([3, "retry"]);
  });

  it("with a birth date of the future, or without any value, is declared and nothing is invented", async () => {
    const ask = async (person: RegistryPerson) => {
      registry.hold(numbers.ECU, person);
      return (await civil.post(web("ECU", { operation: "DATA", returnPII: true }))).body;
    };
    const future = await ask({ fields: { ...ana.fields, dateOfBirth: "2090-01-01" } });
    expect([codesOf(future)["dateOfBirth"], future.outcome]).toEqual(["6", "retry"]);
    const empty = await ask({ fields: { lastName: "  " } });
    expect(codesOf(empty)).toMatchObject({
      documentNumber: "0",
      lastName: "4",
      firstName: "4",
      dateOfBirth: "4",
    });
    expect(empty).not.toHaveProperty("serviceFacialAuthenticationResult");
  });

  it("that differs from the document is rejected, field by field", async () => {
    const fields = { ...ana.fields, lastName: "Villalobos", dateOfBirth: "1990-01-02", gender: "M" };
    registry.hold(numbers.ECU, { fields, photo: portrait });
    const { body } = await civil.post(web("ECU"));
    expect(codesOf(body)).toMatchObject({ lastName: "2", firstName: "0", dateOfBirth: "2", gender: "2" });
    expect([body.serviceFacialAuthenticationResult, body.outcome]).toEqual([3, "rejected"]);
  });
});

describe("a capture of the mobile widget", { timeout: patientMs }, () => {
  const mobile = async (card: keyof typeof cards, change: object = {}) => ({
    operation: "FULL",
    platform: "MOBILE",
    tokenOcr: await civil.seal("ocr", writeCapture(cards[card])),
    templateRaw: base64(selfie),
    ...change,
  });

  it("gives country, number, code and sex, and the rules are asked again with them", async () => {
    const without = await civil.post(await mobile("ARG"));
    expect([without.status, without.body.errors, without.body.code]).toEqual([
      400,
      ["bestImage: is required for ARG and PAN"],
      1102,
    ]);
    expect(registry.questions).toEqual([]);
    registry.hold(numbers.ARG, { fields: { lastName: "Solis", firstName: "Ana Maria" }, photo: portrait });
    const { status, body } = await civil.post(
      await mobile("ARG", { bestImage: base64(selfie), returnPII: true }),
    );
    expect(status).toBe(200);
    expect(registry.questions).toMatchObject([
      { country: "ARG", documentNumber: "30123456", gender: "F", documentCode: "00123456789" },
    ]);
    expect(registry.questions[0]?.bestImage).toBeInstanceOf(Uint8Array);
    expect(codesOf(body)).toMatchObject({ lastName: "0", firstName: "0", dateOfBirth: "4" });
    expect(body.serviceDocument).toMatchObject({ DocumentNumber: "30123456", Issuer: "ARG" });
  });

  it("reads the code of Ecuador from the back, and asks for it where the document shows none", async () => {
    await civil.post(await mobile("ECU", { operation: "DATA" }));
    expect(registry.questions).toMatchObject([{ country: "ECU", documentCode: "V1234I5678" }]);
    const tokenOcr = await civil.seal("ocr", writeCapture({ front: cards.ECU.front }));
    const { status, body } = await civil.post(await mobile("ECU", { operation: "DATA", tokenOcr }));
    expect([status, body.errors]).toEqual([400, ["documentCode: is required for ECU"]]);
  });

  it("of a country without a registry of the interface, or of none, is refused", async () => {
    const chilean = await drawSent("a scanned passport");
    const post = async (front: Uint8Array) =>
      await civil.post(await mobile("ECU", { tokenOcr: await civil.seal("ocr", writeCapture({ front })) }));
    expect(await post(chilean)).toMatchObject({ status: 400, body: { code: 2104 } });
    const blank = await post(selfie);
    expect([blank.status, blank.body.code, blank.body.errors?.[0]]).toEqual([
      400,
      1102,
      "countryCode: is required, because the document shows none",
    ]);
    const damaged = await post(Buffer.from("no image"));
    expect(damaged).toMatchObject({ status: 422, body: { facts: { field: "tokenOcr" } } });
    expect(registry.questions).toEqual([]);
  });
});

describe("beside the question", { timeout: patientMs }, () => {
  it("a document validation is started with the same images and the type of the document", async () => {
    registry.hold(numbers.HND, { fields: { lastName: "Solís Prueba" } });
    const { body } = await civil.post(
      web("HND", { operation: "DATA", documentNumber: numbers.HND, documentValidation: true }),
    );
    expect(body).toMatchObject({ scanReference: expect.any(String), type: "ID_CARD" });
    const started = operations.query("select id from validations where tenant_id = ?", tenantId);
    expect(started.map(({ id }) => id)).toEqual([body.scanReference]);
    expect(body.serviceTransactionId).not.toBe(body.scanReference);
  });

  it("the operation gets the document and the comparison of this call", async () => {
    const operationId = randomUUID();
    await civil.post(web("ECU", { tracking: { operationId } }));
    const events = await operations.eventsOf(tenantId, operationId);
    expect(events.map(({ name, assets }) => [name, assets.map(({ type }) => type)])).toEqual([
      ["operation_started", []],
      ["id_captured", ["id_front", "id_back", "id_portrait"]],
      ["selfie_captured", ["selfie"]],
      ["facial_authentication_evaluated", ["id_portrait", "selfie"]],
    ]);
    expect(events.at(-1)?.data).toMatchObject({ status: "Positive" });
    expect(operations.stepsOf(tenantId, operationId)).toEqual(["civilValidation"]);
  });
});

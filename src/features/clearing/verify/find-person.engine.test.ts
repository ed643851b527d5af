import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countedUnder } from "#judging/face/countable-rate";
import { type ClearingHarness, facesOf, openClearingHarness } from "#support/clearing/harness";
import { imageOf, openFaceEngine } from "#support/face/images";

let harness: ClearingHarness;
let strict: ClearingHarness;
beforeAll(async () => {
  const { measure } = openFaceEngine();
  const faces = facesOf({ measure });
  harness = await openClearingHarness({ faceServiceOf: () => faces });
  strict = await openClearingHarness({ faceServiceOf: () => faces, settings: { assurance: "strict" } });
});
afterAll(async () => {
  await harness.close();
  await strict.close();
});

const franck = imageOf("franck_02159.jpg");
const sameFace = imageOf("franck_03979.jpg");
const otherFace = imageOf("walter2_crop.jpg");
const noFace = imageOf("ironman.jpg");

/** Verifies a person whose selfie the operation keeps, with a document of these sides. */
const verify = async (selfie: Uint8Array, images: readonly Uint8Array[], reference?: Uint8Array) => {
  const operation = randomUUID();
  const transaction = await harness.identify({ operation, selfie, ...(reference && { reference }) });
  const scan = await harness.validate({ operation, images });
  const { status, body } = await harness.callerOf().verify(transaction, scan);
  return status === 200 ? status : body.failure;
};

it("issues a token where the faces of document and selfie match, on either side of the document", async () => {
  expect(await verify(franck, [sameFace])).toBe(200);
  expect(await verify(franck, [noFace, sameFace])).toBe(200);
  const records = await harness.store.listTransactions(harness.tenantId, new Date(0));
  const issued = records.filter(({ endpoint }) => endpoint === "verifyClearing");
  expect(issued.map(({ result }) => result)).toMatchObject([
    { samePersonBy: "faces" },
    { samePersonBy: "faces" },
  ]);
});

it("refuses the document of another person", async () => {
  expect(await verify(franck, [otherFace])).toBe("clearing_other_person");
  expect(await verify(otherFace, [sameFace])).toBe("clearing_other_person");
});

it("refuses a photograph of the selfie's person as the back of another person's document", async () => {
  expect(await verify(franck, [otherFace, sameFace], sameFace)).toBe("clearing_other_person");
  expect(await verify(franck, [sameFace, otherFace], sameFace)).toBe(200);
});

it("refuses where no side shows a face, or the selfie shows none", async () => {
  expect(await verify(franck, [noFace])).toBe("clearing_person_unproven");
  expect(await verify(noFace, [franck])).toBe("clearing_person_unproven");
});

/** The same face, so blurred that its rate is between 1e-3 and 1e-2. */
const blurred = async (): Promise<Uint8Array> => {
  const small = await sharp(sameFace).resize({ width: 92 }).blur(1.5).png().toBuffer();
  return new Uint8Array(await sharp(small).resize({ width: 720 }).jpeg().toBuffer());
};

/** Verifies with an identity call that compared two selfies, both other images than the document. */
const verifyAt = async (at: ClearingHarness, document: Uint8Array) => {
  const operation = randomUUID();
  const transaction = await at.identify({
    operation,
    selfie: franck,
    reference: franck,
    level: "active-turn",
  });
  const scan = await at.validate({ operation, images: [document], portraitEvidence: "print-consistent" });
  const { key, verify: ask } = at.callerOf();
  const { status, body } = await ask(transaction, scan);
  return { transaction, key, status, body };
};

it("holds the comparison of document and selfie to the limit of the strict policy", async () => {
  // The rate of the identity call, 1e-3 or less, was taken for that of document and selfie.
  const document = await blurred();
  expect((await verifyAt(harness, document)).status).toBe(200);
  const { status, body } = await verifyAt(strict, document);
  expect([status, body.failure]).toEqual([422, "clearing_assurance_too_low"]);
  expect(body.facts.missing).toMatch(
    /^the false match rate of document and selfie is 0\.00\d+, at most 0\.001 /,
  );
  expect((await verifyAt(strict, sameFace)).status).toBe(200);
});

it("records the comparison of document and selfie, and the certificate states its own counts", async () => {
  const load = async (document: Uint8Array) => {
    const { transaction, key, body } = await verifyAt(harness, document);
    const { token } = body;
    return (await harness.load(transaction, { token, apiKey: key })).json();
  };
  const { countedFalseMatchRate, documentComparison } = await load(await blurred());
  expect(countedFalseMatchRate).toBe(1e-4);
  expect(documentComparison).toMatchObject({ countedFalseMatchRate: 1 / 700, countedPairs: 7_255_541 });
  expect((await load(sameFace)).documentComparison.countedFalseMatchRate).toBe(1e-4);
  const records = await harness.store.listTransactions(harness.tenantId, new Date(0));
  const issued = records.findLast(({ endpoint }) => endpoint === "verifyClearing");
  expect(issued?.measurements).toMatchObject({
    documentComparison: {
      policyVersion: countedUnder.scale,
      comparison: { use: "document", score: expect.any(Number), falseMatchRate: expect.any(Number) },
    },
  });
  expect(issued?.models).toMatchObject(countedUnder.models);
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ClearingHarness, facesOf, openClearingHarness } from "#support/clearing/harness";
import { imageOf, openFaceEngine } from "#support/face/images";

let harness: ClearingHarness;
beforeAll(async () => {
  const { measure } = openFaceEngine();
  const faces = facesOf({ measure });
  harness = await openClearingHarness({ faceServiceOf: () => faces });
});
afterAll(() => harness.close());

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

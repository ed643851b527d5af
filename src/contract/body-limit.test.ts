import { type TSchema, Type } from "typebox";
import { describe, expect, it } from "vitest";
import { bodyBytesOf, bodyNeedOf, describeBodyNeed, takesFile } from "./body-limit.ts";
import { exampleOf } from "./example.ts";
import { routes } from "./routes.ts";
import { trackingToken } from "./wire.ts";

const imageBytes = 12_582_912;
const fileBytes = 50_000_000;

/** Name, images and tokens, kB of everything else. A tracking token counts 99 kB of these. */
const needs: readonly (readonly [name: string, encodedFields: number, otherKb: number])[] = [
  ["identity", 2, 109],
  ["authenticateFacial", 2, 109],
  ["evaluatePassiveLiveness", 1, 109],
  ["evaluatePassiveLivenessToken", 1, 109],
  ["extractFacial", 1, 9],
  ["detokenize", 1, 9],
  ["extractDocumentData", 1, 109],
  ["extractDocumentDataWeb", 2, 109],
  ["startDocumentValidation", 2, 110],
  ["documentValidationStatus", 0, 10],
  ["documentValidationData", 0, 10],
  ["startDocumentValidationV1", 2, 110],
  ["documentValidationStatusV1", 0, 10],
  ["documentValidationDataV1", 0, 10],
  ["padDiagnostic", 3, 9],
  ["listReviews", 0, 9],
  ["claimReview", 0, 9],
  ["showReview", 0, 9],
  ["reviewPicture", 0, 9],
  ["decideReview", 0, 22],
  ["releaseReview", 0, 9],
  ["listDestinations", 0, 9],
  ["createDestination", 0, 913],
  ["showDestination", 0, 9],
  ["changeDestination", 0, 913],
  ["pauseDestination", 0, 9],
  ["resumeDestination", 0, 9],
  ["enableDestination", 0, 9],
  ["rotateDestinationSecret", 0, 9],
  ["handshakeDestination", 0, 9],
  ["removeDestination", 0, 9],
  ["testDestination", 0, 9],
  ["replayDestination", 0, 10],
  ["releaseDestination", 0, 10],
  ["listDeliveries", 0, 10],
  ["showDelivery", 0, 9],
  ["retryDelivery", 0, 9],
  ["replayEvent", 0, 9],
  ["listMailbox", 0, 9],
  ["triggerEvent", 0, 10],
  ["authenticateUser", 4, 112],
  ["authenticateUserV2", 4, 112],
  ["deleteUsers", 0, 1648],
  ["updateUserTemplate", 2, 211],
  ["civilValidation", 5, 110],
  ["digitalSign", 1, 115],
  ["verifySignature", 0, 9],
  ["listSignedDocuments", 0, 10],
  ["showSignedDocument", 0, 9],
  ["createVerification", 3, 27],
  ["showVerification", 0, 9],
  ["createCapture", 0, 25],
  ["showCapture", 0, 9],
  ["cancelCapture", 0, 9],
  ["openCapturePage", 0, 13],
  ["showCapturePage", 0, 9],
  ["consentToCapture", 0, 9],
  ["challengeCapture", 0, 9],
  ["beginUpload", 0, 9],
  ["uploadPiece", 0, 402],
  ["showUpload", 0, 9],
  ["finishUpload", 0, 9],
  ["handOffCapture", 0, 9],
  ["confirmHandOff", 0, 9],
  ["cancelCapturePage", 0, 9],
  ["finishTracking", 0, 797],
  ["listOperations", 0, 16],
  ["showOperation", 0, 9],
  ["endOperation", 0, 9],
  ["revokeAsset", 0, 10],
  ["showTransaction", 0, 9],
  ["listKeys", 0, 9],
  ["createKey", 0, 10],
  ["renewKey", 0, 9],
  ["revokeKey", 0, 9],
  ["exportEvidence", 0, 10],
  ["listPersonas", 0, 9],
  ["showPersona", 0, 9],
  ["showPersonaImage", 0, 9],
  ["showMesh", 1, 9],
  ["verifyClearing", 0, 10],
  ["clearingCertificate", 0, 12],
  ["verifyPrevired", 0, 10],
  ["previredCertificate", 0, 12],
  ["startPrevired", 0, 23],
  ["listCallbacks", 0, 10],
  ["createTransfer", 0, 12],
  ["listTransfers", 0, 10],
  ["showTransfer", 0, 9],
  ["resumeTransfer", 0, 15],
  ["abandonTransfer", 0, 9],
];

describe("the need of a route's body", () => {
  it.each(needs)("of %s is %i images or tokens and %i kB besides", (name, encodedFields, otherKb) => {
    const route = routes.find((one) => one.name === name);
    const need = route && bodyNeedOf(route);
    expect([need?.encodedFields, Math.ceil((need?.otherBytes ?? 0) / 1000)]).toEqual([
      encodedFields,
      otherKb,
    ]);
  });

  it("is stated for every route: each text has a length, each list a number of items", () => {
    expect(needs.map(([name]) => name)).toEqual(routes.map(({ name }) => name));
    for (const route of routes)
      expect(bodyBytesOf(route, imageBytes, fileBytes), route.name).toBeLessThan(1e8);
  });

  it("is under 2 MB for every route without an image or token", () => {
    for (const route of routes.filter((one) => bodyNeedOf(one).encodedFields === 0 && !takesFile(one))) {
      expect(bodyBytesOf(route, imageBytes, fileBytes), route.name).toBeLessThan(2_000_000);
    }
  });

  it("holds the route's example, and a longest list of users in escapes", () => {
    for (const route of routes) {
      const bytes = JSON.stringify(exampleOf(route.request)).length;
      expect(bodyBytesOf(route, 100, 100), route.name).toBeGreaterThan(bytes);
    }
    const deleteUsers = routes.find(({ name }) => name === "deleteUsers");
    const userIds = Array.from({ length: 1000 }, () => String.raw`\u00f1`.repeat(256));
    const body = `{"userIds":["${userIds.join('","')}"]}`;
    expect(deleteUsers && bodyBytesOf(deleteUsers, imageBytes, fileBytes)).toBeGreaterThan(body.length);
  });

  it("holds an image of the largest size in Base64 with escaped line breaks", () => {
    const lines = Buffer.alloc(imageBytes).toString("base64").replaceAll(/.{76}/g, String.raw`$&\r\n`);
    const image = Type.Object({ image: Type.String({ contentEncoding: "base64" }) });
    expect(bodyBytesOf({ request: image }, imageBytes, fileBytes)).toBeGreaterThan(lines.length);
  });
});

describe("a part of a schema", () => {
  const needOf = (part: TSchema) =>
    bodyNeedOf({ request: Type.Object({ part }) }).otherBytes -
    bodyNeedOf({ request: Type.Object({ part: Type.Boolean() }) }).otherBytes +
    32;

  it.each([
    ["a text without a length", Type.String()],
    ["a text with an open pattern", Type.String({ pattern: "^[A-Z]+$" })],
    ["a list without a number of items", Type.Array(Type.Integer())],
    ["a list of texts without a length", Type.Array(Type.String(), { maxItems: 3 })],
    ["an unknown value", Type.Unknown()],
    ["a record", Type.Record(Type.String(), Type.Integer())],
    ["one of two, of which one has no length", Type.Union([Type.Integer(), Type.String()])],
  ])("has no bound: %s", (_, part) => {
    expect(needOf(part)).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ["a text of 10 characters", Type.String({ maxLength: 10 }), 62],
    ["a text of three letters", Type.String({ pattern: "^[A-Z]{3}$" }), 20],
    ["one of two texts", Type.Enum(["a", "abc"]), 5],
    ["a number", Type.Number(), 32],
    ["a list of two texts of one character", Type.Array(Type.String({ maxLength: 1 }), { maxItems: 2 }), 20],
    ["the longer of two", Type.Union([Type.Null(), Type.String({ maxLength: 100 })]), 602],
    ["a tracking token, which is no image", trackingToken("Tracking."), 98_434],
  ])("is bounded: %s takes %o", (_, part, bytes) => {
    expect(needOf(part)).toBe(bytes);
  });
});

describe("the images, tokens and files of a body", () => {
  const image = Type.String({ contentEncoding: "base64" });
  const file = Type.String({ contentEncoding: "base64", "x-file": true });
  const needOf = (parts: Readonly<Record<string, TSchema>>) => bodyNeedOf({ request: Type.Object(parts) });

  it("add up over fields, and are the most of either choice", () => {
    expect(needOf({ one: image, two: image, pdf: file })).toMatchObject({ encodedFields: 2, files: 1 });
    const either = { part: Type.Union([image, file, Type.Object({ one: image, two: image })]) };
    expect(needOf(either)).toMatchObject({ encodedFields: 2, files: 1 });
  });

  it("count once for each item of a list, and a list without any has none, however long it is", () => {
    expect(needOf({ list: Type.Array(image, { maxItems: 3 }) })).toMatchObject({
      encodedFields: 3,
      files: 0,
    });
    expect(needOf({ list: Type.Array(file, { maxItems: 3 }) })).toMatchObject({ encodedFields: 0, files: 3 });
    expect(needOf({ list: Type.Array(Type.Integer()) })).toMatchObject({ encodedFields: 0, files: 0 });
  });

  it("bound the body by their own limits: a file by that of files, not by that of images", () => {
    const bytesOf = (parts: Readonly<Record<string, TSchema>>) =>
      bodyBytesOf({ request: Type.Object(parts) }, 1000, 50_000) -
      bodyNeedOf({ request: Type.Object(parts) }).otherBytes;
    // Base64 with an eighth more is three bytes for two; 130 bytes of prefix and quotes.
    expect([bytesOf({ image }), bytesOf({ file }), bytesOf({ image, file })]).toEqual([1630, 75_130, 76_760]);
    expect(bytesOf({ text: Type.String({ maxLength: 1 }) })).toBe(0);
  });

  it("lift the limit of all routes for a route with a file alone", () => {
    const takes = (parts: Readonly<Record<string, TSchema>>) => takesFile({ request: Type.Object(parts) });
    expect([takes({ file }), takes({ image }), takes({})]).toEqual([true, false, false]);
  });

  it("stand in the sentence about the limit", () => {
    const sentence = (parts: Readonly<Record<string, TSchema>>) =>
      describeBodyNeed({ request: Type.Object(parts) });
    expect(sentence({ file })).toContain("one PDF of the deployment's largest size in Base64, and 9 kB");
    expect(sentence({ file, image })).toContain(
      "in Base64, one image or token of the largest size, and 9 kB",
    );
  });
});

describe("the sentence about the limit", () => {
  it("names images in numbers, because their size is the operator's", () => {
    const sentences = ["documentValidationStatus", "extractFacial", "identity"].map((name) => {
      const route = routes.find((one) => one.name === name);
      return route && describeBodyNeed(route);
    });
    expect(sentences).toEqual([
      "Largest body: 10 kB.",
      "Largest body: one image or token of the deployment's largest size in Base64, and 9 kB besides.",
      "Largest body: 2 images or tokens of the deployment's largest size in Base64, and 109 kB besides.",
    ]);
  });
});

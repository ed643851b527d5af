import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { type Client, makeClient } from "#cli/kit/service/client";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { commonFailures, type Route } from "#contract/endpoint";
import { exampleOf } from "#contract/example";
import { routes } from "#contract/routes";
import { writeCapture } from "#judging/document/reading/ocr-container";
import { whitePng } from "#support/imaging/images";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import { imaging, persons, toBase64 } from "./harness/images.ts";
import { unknownNumber } from "./harness/registry.ts";
import { openTenant } from "./harness/tenant.ts";

let client: Client;
let keys: PublishedKeys;

beforeAll(async () => {
  const { url, apiKey } = await openTenant();
  client = makeClient(url, apiKey);
  keys = await fetchPublishedKeys(url);
});

const seal = (kind: TokenKind, payload: Uint8Array): Promise<string> =>
  sealToken({ keys, kind, payload, now: new Date() });
const open = async (image: Uint8Array): Promise<string> => toBase64(image);
const as = (kind: TokenKind) => (image: Uint8Array) => seal(kind, image);
const captured = (image: Uint8Array): Promise<string> => seal("ocr", writeCapture({ front: image }));

type Wrap = (image: Uint8Array) => Promise<string>;
type Place = readonly [route: string, field: string, wrap: Wrap, others: Readonly<Record<string, Wrap>>];

const bestImage = as("best-image");
const faceImage = as("face-image");
const side = as("document-image");

/** Every field that takes an image, with the other images of its call, in which a sound selfie stands. */
const places: readonly Place[] = [
  ["identity", "token1", open, { bestImageToken: bestImage }],
  ["identity", "bestImageToken", bestImage, { token1: open }],
  ["authenticateFacial", "token1", open, { token2: open }],
  ["authenticateFacial", "token2", open, { token1: open }],
  ["authenticateFacial", "token1", faceImage, { token2: open }],
  ["evaluatePassiveLiveness", "imageBuffer", open, {}],
  ["evaluatePassiveLivenessToken", "imageBuffer", bestImage, {}],
  ["extractFacial", "tokenBuffer", open, {}],
  ["showMesh", "image", open, {}],
  ["detokenize", "imageBuffer", open, { bestImageToken: bestImage }],
  ["extractDocumentData", "tokenOcr", captured, {}],
  ["extractDocumentDataWeb", "tokenFrontDocument", side, { tokenBackDocument: side }],
  ["extractDocumentDataWeb", "tokenBackDocument", side, { tokenFrontDocument: side }],
  ["startDocumentValidation", "documentFrontRawImage", open, {}],
  ["startDocumentValidation", "documentBackRawImage", open, { documentFrontRawImage: open }],
  ["startDocumentValidationV1", "frontsideImage", open, {}],
  ["startDocumentValidationV1", "backsideImage", open, { frontsideImage: open }],
  ["padDiagnostic", "frontSideImage", open, { backSideImage: open }],
  ["padDiagnostic", "backSideImage", open, { frontSideImage: open }],
  ["padDiagnostic", "face", open, { frontSideImage: open, backSideImage: open }],
  ["authenticateUser", "image", open, { bestImageToken: bestImage }],
  ["authenticateUser", "bestImageToken", bestImage, { image: open }],
  ["authenticateUserV2", "image", open, { bestImageToken: bestImage }],
  ["authenticateUserV2", "bestImageToken", bestImage, { registeredTemplateRaw: faceImage }],
  ["authenticateUserV2", "registeredTemplateRaw", faceImage, { bestImageToken: bestImage }],
  ["updateUserTemplate", "newRegisteredTemplateRaw", faceImage, { oldRegisteredTemplateRaw: as("template") }],
  ["civilValidation", "imageFrontDocument", open, { imageBackDocument: open, templateRaw: faceImage }],
  ["civilValidation", "imageBackDocument", open, { imageFrontDocument: open, templateRaw: faceImage }],
  ["civilValidation", "templateRaw", faceImage, { imageFrontDocument: open, imageBackDocument: open }],
  ["createVerification", "documentFront", open, { selfie: open, documentBack: open }],
  ["createVerification", "documentBack", open, { selfie: open, documentFront: open }],
  ["createVerification", "selfie", bestImage, { documentFront: open, documentBack: open }],
  [
    "civilValidation",
    "bestImage",
    open,
    { imageFrontDocument: open, imageBackDocument: open, templateRaw: faceImage },
  ],
];

/**
 * The method that fits the kinds of the faces. The registry does not have the person, so that every image of
 * civilValidation is judged.
 */
const methodOf = (name: string, wrap: Wrap): object =>
  name === "authenticateFacial"
    ? { method: wrap === faceImage ? "4" : "1" }
    : name === "civilValidation"
      ? { operation: "FULL", documentNumber: unknownNumber }
      : {};

const routeNamed = (name: string): Route => routes.find((route) => route.name === name)!;
const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** Fields of an example that tie a call to another one, or state another format than PNG. */
const unwanted: readonly string[] = ["scanReference", "documentRawImageMimeType", "tracking"];

/** Marks of fields whose Base64 is no whole image: a PDF, and a piece of an upload. */
const otherFiles = ["x-file", "x-bytes"] as const;
const isImage = (schema: unknown): boolean => {
  const marks = fieldsOf(schema);
  return marks["contentEncoding"] === "base64" && otherFiles.every((mark) => marks[mark] === undefined);
};

/** The fields of the route that take an image or a token, in Base64. */
const imageFields = ({ request }: Route): readonly string[] =>
  "properties" in request
    ? Object.entries(fieldsOf(request.properties)).flatMap(([name, schema]) =>
        isImage(schema) ? [name] : [],
      )
    : [];

/** The example of the route without its images and tokens: the table names those. */
const plainFields = (route: Route) =>
  Object.fromEntries(
    Object.entries(fieldsOf(exampleOf(route.request))).filter(
      ([name]) => !imageFields(route).includes(name) && !unwanted.includes(name),
    ),
  );

/** One pixel decides whether a shape is refused; the others had no row in a reduced copy. */
const refused = [
  [16_384, 1],
  [16_384, 5],
  [1, 16_384],
  [16_384, 15],
] as const;
const isLong = process.env["LONG_TESTS"] === "1";

/**
 * An image that is searched takes an engine thread for seconds, and so do the sound images of a call: each
 * route is sent all shapes in its first field, and one in the others. Routes that read documents search the
 * longest image in one route and in a validation, and a shorter one of this height in the others; with
 * LONG_TESTS=1 each searches the longest.
 */
const [longest, shorter] = [
  [16_384, 16],
  [2_048, 16],
] as const;
const searchedBy = (name: string): readonly [width: number, height: number] =>
  !isLong && ["padDiagnostic", "civilValidation", "extractDocumentData"].includes(name) ? shorter : longest;
const isFirst = (name: string, field: string, wrap: Wrap): boolean => {
  const [, firstField, firstWrap] = places.find(([route]) => route === name)!;
  return firstField === field && firstWrap === wrap;
};

/**
 * A failure of the caller's own input, or of an engine that has no capacity: never an error of the service.
 */
const expectDeclared = ({ failures }: Route, status: number, body: unknown): void => {
  const { failure } = fieldsOf(body);
  const text = `${status} ${JSON.stringify(body).slice(0, 300)}`;
  if (typeof failure !== "string") return expect([200, 400, 401], text).toContain(status);
  const allowed: readonly string[] = [...failures, ...commonFailures];
  expect(allowed, text).toContain(failure);
  expect(status, text).toBeLessThan(500);
};

const send = async (route: Route, fields: Readonly<Record<string, unknown>>) => {
  const { status, body } = await client.post(route.path, { ...plainFields(route), ...fields });
  expectDeclared(route, status, body);
  return body;
};

describe("an image of any shape", () => {
  it("is tried in every route that takes an image", () => {
    const taking = routes.filter((route) => imageFields(route).length > 0);
    expect([...new Set(places.map(([name]) => name))].toSorted()).toEqual(
      taking.map(({ name }) => name).toSorted(),
    );
  });

  it.each(places)("is answered as declared: %s, %s", async (name, field, wrap, others) => {
    const route = routeNamed(name);
    const sendShape = async (width: number, height: number) => {
      const sound = Object.entries(others).map(
        async ([other, wrapOther]) => [other, await wrapOther(persons.selfie)] as const,
      );
      const images = {
        ...Object.fromEntries(await Promise.all(sound)),
        [field]: await wrap(whitePng(width, height)),
      };
      return fieldsOf(await send(route, { ...methodOf(name, wrap), ...images }));
    };
    const isFirstField = isFirst(name, field, wrap);
    for (const [width, height] of isFirstField ? refused : refused.slice(0, 1)) {
      const { facts } = await sendShape(width, height);
      if (facts !== undefined) expect(facts).toMatchObject({ width, height, sideMin: 16 });
    }
    if (isFirstField) await sendShape(...searchedBy(name));
  });

  it("is answered the same way as a JPEG", async () => {
    const wide = await imaging.encodeJpeg({ width: 1, height: 16_000, data: new Uint8Array(48_000) }, 90);
    const facts = { width: 1, height: 16_000, sideMin: 16 };
    const image = toBase64(wide);
    const extracted = await send(routeNamed("extractFacial"), { tokenBuffer: image });
    expect(extracted).toMatchObject({
      failure: "image_unreadable",
      facts: { ...facts, field: "tokenBuffer" },
    });
    const diagnosed = { frontSideImage: image, backSideImage: image };
    expect(await send(routeNamed("padDiagnostic"), diagnosed)).toMatchObject({
      failure: "request_invalid",
      facts: { ...facts, field: "frontSideImage" },
    });
  });
});

it("a validation of a long strip is decided, not failed", async () => {
  const { scanReference } = fieldsOf(
    await send(routeNamed("startDocumentValidation"), {
      idType: "PASSPORT",
      documentFrontRawImage: toBase64(whitePng(16_384, 16)),
    }),
  );
  const path = routeNamed("documentValidationStatus").path;
  for (;;) {
    const status = fieldsOf((await client.post(path, { scanReference })).body)["status"];
    if (status !== "PENDING") {
      expect(status).toBe("DONE");
      break;
    }
    await sleep(200);
  }
});

import { setTimeout as sleep } from "node:timers/promises";
import type { TokenKind } from "#trust/tokens/token";
import { isObject, memberOf } from "../../scripts/contract/json.ts";
import { persons, toBase64 } from "../harness/images.ts";
import { jsonOf, type Received } from "./exchange.ts";
import { type HostileImage, type ImageBases, listHostileImages, makeHostileImage } from "./hostile-images.ts";
import type { Attack, AttackCase } from "./run-attack.ts";
import type { Target } from "./target.ts";

/** One field of an operation that takes an image, open or in a token. */
type Place = {
  readonly id: string;
  readonly field: string;
  readonly kind?: TokenKind;
  /** Fields that another token or image must fill, so that the hostile one is reached. */
  readonly beside?: Readonly<Record<string, TokenKind | "image">>;
  readonly fields?: Readonly<Record<string, unknown>>;
};

const twoSided = { fields: { country: "CHL", idType: "PASSPORT", countryCode: "CHL", tokenized: false } };

const places: readonly Place[] = [
  { id: "evaluatePassiveLiveness", field: "imageBuffer" },
  { id: "padDiagnostic", field: "frontSideImage", ...twoSided, beside: { backSideImage: "image" } },
  { id: "startDocumentValidation", field: "documentFrontRawImage", ...twoSided },
  { id: "startDocumentValidationV1", field: "frontsideImage", ...twoSided },
  { id: "extractFacial", field: "tokenBuffer" },
  { id: "authenticateFacial", field: "token1", fields: { method: "1" }, beside: { token2: "image" } },
  { id: "identity", field: "token1", fields: { method: "3" }, beside: { bestImageToken: "best-image" } },
  {
    id: "identity",
    field: "bestImageToken",
    kind: "best-image",
    fields: { method: "3" },
    beside: { token1: "image" },
  },
  { id: "evaluatePassiveLivenessToken", field: "imageBuffer", kind: "best-image" },
  {
    id: "extractDocumentDataWeb",
    field: "tokenFrontDocument",
    kind: "document-image",
    fields: { countryCode: "PSP" },
  },
  { id: "padDiagnostic", field: "backSideImage", ...twoSided, beside: { frontSideImage: "image" } },
  {
    id: "padDiagnostic",
    field: "face",
    ...twoSided,
    beside: { frontSideImage: "image", backSideImage: "image" },
  },
  { id: "authenticateUser", field: "image", beside: { bestImageToken: "best-image" } },
];

/** Fields of the example that would change how the hostile image is read. */
const leftOut = [
  "scanReference",
  "documentRawImageMimeType",
  "documentBackRawImage",
  "backsideImage",
  "face",
];

const bodyOf = async (target: Target, place: Place, image: Uint8Array): Promise<Buffer> => {
  const { bodyExample } = target.operation(place.id);
  const example = Object.entries(isObject(bodyExample) ? bodyExample : {});
  const kept = example.filter(([name]) => !leftOut.includes(name));
  const beside = Object.entries(place.beside ?? {}).map(
    async ([name, kind]) =>
      [name, kind === "image" ? toBase64(persons.portrait) : await target.seal(kind)] as const,
  );
  const hostile = place.kind === undefined ? toBase64(image) : await target.seal(place.kind, image);
  const fields = {
    ...Object.fromEntries(kept),
    ...place.fields,
    ...Object.fromEntries(await Promise.all(beside)),
    [place.field]: hostile,
  };
  return Buffer.from(JSON.stringify(fields));
};

const send = async (target: Target, place: Place, image: Uint8Array): Promise<Received> => {
  const { method, path } = target.operation(place.id);
  const headers = { "content-type": "application/json", "x-api-key": target.keys.all };
  return await target.exchange({ method, path, headers, body: await bodyOf(target, place, image) });
};

const caseOf = (place: Place, { name, bytes }: HostileImage, accepted: string[]): AttackCase => ({
  name: `${name} in ${place.id}.${place.field}`,
  run: async (target) => {
    const received = await send(target, place, bytes);
    const reference = memberOf(jsonOf(received), "scanReference");
    if (typeof reference === "string") accepted.push(reference);
    return target.judge(target.operation(place.id), received);
  },
});

/** Each image of every run goes to two places in turn. */
const listCases = (accepted: string[]): readonly AttackCase[] =>
  listHostileImages().flatMap((image, at) =>
    [0, 6].map((step) => caseOf(places[(at + step) % places.length]!, image, accepted)),
  );

/**
 * Hostile images through every field that takes one. `accepted` collects the validations that were started.
 */
export const makeImageAttack = (bases: ImageBases, accepted: string[]): Attack => ({
  kind: "images",
  fixed: listCases(accepted),
  generate: (draw) => caseOf(draw.pick(places), makeHostileImage(draw, bases), accepted),
  atOnce: 3,
});

const decisionMsMax = 240_000;

/** The accepted validations that do not end DONE: the service took their images and failed on them. */
export const findFailedValidations = async (
  target: Target,
  accepted: readonly string[],
): Promise<readonly string[]> => {
  const { method, path } = target.operation("documentValidationStatus");
  const headers = { "content-type": "application/json", "x-api-key": target.keys.all };
  const statusOf = async (scanReference: string): Promise<unknown> => {
    const body = Buffer.from(JSON.stringify({ scanReference }));
    return memberOf(jsonOf(await target.exchange({ method, path, headers, body })), "status");
  };
  const until = performance.now() + decisionMsMax;
  const failed: string[] = [];
  for (const reference of accepted) {
    let status = await statusOf(reference);
    while (status === "PENDING" && performance.now() < until) {
      await sleep(100);
      status = await statusOf(reference);
    }
    if (status !== "DONE") failed.push(`${reference}: ${String(status)}`);
  }
  return failed;
};

import { type Operation, propertiesOf } from "../../scripts/contract/read-contract.ts";
import { persons, toBase64 } from "../harness/images.ts";
import type { Received } from "./exchange.ts";
import { makeObjects, type ObjectField, type Objects, objectFields } from "./stored-objects.ts";
import type { Target } from "./target.ts";

/** Names that may be those of a stored object. */
const mayName = /(id|ids|reference|operation|asset|token\w*)$/iu;

/** Fields with such a name that name no stored object, alone or of one operation, each with its reason. */
const otherFields: Readonly<Record<string, string>> = {
  merchantIdScanReference: "the caller's own name for a document",
  merchantReferenceId: "the caller's own name for a user",
  "authenticateUser.userId": "the first authentication enrols: the caller names what it makes",
  "authenticateUserV2.userId": "as authenticateUser",
  "triggerEvent.operationId": "a test event opens its operation",
  "updateUserTemplate.operationId": "opens its operation where there is none",
  "civilValidation.operation": "a kind of operation",
  "padDiagnostic.tokenized": "whether the images are tokens",
  "showPersona.persona": "a name of the published catalogue",
  "showPersonaImage.persona": "a name of the published catalogue",
  "showPersonaImage.image": "a name of the published catalogue",
  "createCapture.customerId": "the caller's own name for a person",
  "createCapture.operationId": "opens its operation where there is none",
  "createVerification.customerId": "the caller's own name for a person",
  "createVerification.operationId": "opens its operation where there is none",
  "startPrevired.customerId": "the caller's own name for a person",
  ...Object.fromEntries(
    ["identityTransactionId", "documentValidationScanReference"].map((field) => [
      `startPrevired.${field}`,
      "needs an approved document: its own test compares owners (src/features/clearing/http/previred.http.test.ts)",
    ]),
  ),
  ...Object.fromEntries(
    ["showCapture.sessionId", "cancelCapture.sessionId"].map((field) => [
      field,
      "a session of a page: its own test compares owners (src/features/capture/http/capture.http.test.ts)",
    ]),
  ),
  ...Object.fromEntries(
    ["uploadPiece", "showUpload", "finishUpload"].map((name) => [
      `${name}.uploadId`,
      "an upload of the session whose token is sent: its own test compares sessions",
    ]),
  ),
  ...Object.fromEntries(
    ["showTransfer", "resumeTransfer", "abandonTransfer"].map((name) => [
      `${name}.transferId`,
      "a transfer needs a clearing entity: the store's suite compares owners",
    ]),
  ),
  ...Object.fromEntries(
    [
      "token",
      "token1",
      "token2",
      "tokenBuffer",
      "tokenOcr",
      "tokenFrontDocument",
      "tokenBackDocument",
      "bestImageToken",
    ].map((name) => [name, "sealed data, in the attacks on tokens"]),
  ),
};

/** Objects that only a link opens: the owner's own key opens nothing there. */
const byLink: readonly string[] = ["asset"];

/**
 * Operations that need an approved document, and a token of it: their own tests compare owners
 * (src/features/clearing/http).
 */
const withOwnTests: readonly string[] = [
  "verifyClearing",
  "verifyPrevired",
  "clearingCertificate",
  "previredCertificate",
  "createTransfer",
];

/** One operation and one of its fields that names a stored object. */
type Row = { readonly operation: Operation; readonly field: ObjectField };

const fieldsOf = ({ parameters, bodies }: Operation): readonly string[] => {
  const body = bodies.get("application/json");
  return [
    ...new Set([
      ...parameters.filter(({ place }) => place !== "header").map(({ name }) => name),
      ...(body === undefined ? [] : propertiesOf(body).keys()),
    ]),
  ];
};

/** Whether this field of this operation is known to name no stored object that the matrix can compare. */
export const isOther = ({ id }: Pick<Operation, "id">, field: string): boolean =>
  field in otherFields || `${id}.${field}` in otherFields;

const objectFieldsOf = (operation: Operation): readonly ObjectField[] => {
  const stated = fieldsOf(operation);
  return objectFields.filter((field) => stated.includes(field) && !isOther(operation, field));
};

/** Every field of every operation that names a stored object. */
export const rowsOf = ({ contract }: Pick<Target, "contract">): readonly Row[] =>
  contract.operations.flatMap((operation) =>
    objectFieldsOf(operation).map((field) => ({ operation, field })),
  );

/** Fields that look like the name of an object and of which the matrix has no knowledge: extend it. */
export const unclassifiedFields = ({ contract }: Pick<Target, "contract">): readonly string[] =>
  contract.operations.flatMap((operation) => {
    const inPath = operation.parameters.filter(({ place }) => place === "path").map(({ name }) => name);
    const known: readonly string[] = objectFieldsOf(operation);
    return fieldsOf(operation)
      .filter((field) => mayName.test(field) || inPath.includes(field))
      .filter((field) => !known.includes(field) && !isOther(operation, field) && !isPlain(field))
      .map((field) => `${operation.id}.${field}`);
  });

/** Path parameters with a closed list of values. */
const isPlain = (field: string): boolean => field === "side" || field === "code";

/** Parts of an answer that differ between any two calls. */
const withoutVarying = ({ status, type, text }: Received, id: string): string =>
  [status, type, text.replaceAll(id, "ID")]
    .join(" ")
    .replaceAll(
      /"(timestamp|serviceTransactionId|transactionId|requestId|serviceTime)":"[^"]*"/g,
      '"$1":"…"',
    );

type Asked = {
  readonly key: string;
  /** The other objects that the call names. */
  readonly objects: Objects;
  readonly id: string;
};

/** The other fields of a verification that names the object: its flow needs them. */
const verificationFields = (field: ObjectField, { bestImageToken }: Objects): object =>
  field === "userId"
    ? { flow: "selfie_of_user", selfie: bestImageToken }
    : { flow: "document", document: { country: "CHL", type: "PASSPORT" } };

const bodyOf = ({ operation, field }: Row, { objects, id }: Asked): object => {
  if (operation.id === "createVerification") return { ...verificationFields(field, objects), [field]: id };
  const example: object = Object(operation.bodyExample);
  const others = objectFieldsOf(operation).filter((one) => one !== field && one in example);
  return {
    ...example,
    // The tokens and images of the examples are those of no deployment.
    ...("bestImageToken" in example && { bestImageToken: objects.bestImageToken }),
    ...("oldRegisteredTemplateRaw" in example && {
      oldRegisteredTemplateRaw: objects.template,
      newRegisteredTemplateRaw: objects.template,
    }),
    ...("documentFrontRawImage" in example && {
      documentFrontRawImage: toBase64(persons.portrait),
      documentRawImageMimeType: "image/jpeg",
    }),
    ...Object.fromEntries(others.map((one) => [one, objects[one]])),
    ...(!operation.parameters.some(({ name }) => name === field) && {
      [field]: field === "userIds" ? [id] : id,
    }),
  };
};

const pathOf = ({ operation, field }: Row, { key, objects, id }: Asked): string => {
  const valueOf = (name: string): string => {
    if (name === field) return id;
    return objectFields.map((one) => (one === name ? objects[one] : "")).join("") || "front";
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => valueOf(name));
  const query = new URLSearchParams();
  for (const { place, name, isRequired } of operation.parameters) {
    if (place === "query" && (name === field || isRequired)) query.set(name, name === field ? id : "a");
  }
  if (operation.security.includes("apiKeyInQuery")) query.set("apiKey", key);
  return query.size === 0 ? path : `${path}?${query}`;
};

const ask = async (target: Target, row: Row, asked: Asked): Promise<string> => {
  const { operation } = row;
  const hasBody = operation.bodies.size > 0;
  const received = await target.exchange({
    method: operation.method,
    path: pathOf(row, asked),
    headers: { "x-api-key": asked.key, ...(hasBody && { "content-type": "application/json" }) },
    ...(hasBody && { body: Buffer.from(JSON.stringify(bodyOf(row, asked))) }),
  });
  return withoutVarying(received, asked.id);
};

const missingOf = (field: ObjectField): string =>
  field.startsWith("userId") ? `user-${crypto.randomUUID()}` : crypto.randomUUID();

/** The object that a row names. `id` is an image of an operation but for signed documents. */
const objectOf = ({ operation, field }: Row, objects: Objects): string =>
  operation.id === "showSignedDocument" ? objects.signedDocument : objects[field];

const nameOf = ({ operation, field }: Row): string => `${operation.name}, ${field}`;

/** The answers for this object and for one that there is not. */
const askBoth = async (target: Target, row: Row, asked: Asked): Promise<readonly [string, string]> => [
  await ask(target, row, asked),
  await ask(target, row, { ...asked, id: missingOf(row.field) }),
];

/** Rows whose answers to `own` differ between an object of the owner and one that there is not. */
const findRevealing = async (target: Target, key: string, own: Objects, foreign: Objects) => {
  const found: string[] = [];
  for (const row of rowsOf(target)) {
    // The other names are the caller's own, or all those of the owner.
    const others = objectFieldsOf(row.operation).length > 1 ? [own, foreign] : [own];
    for (const objects of others) {
      const [one, other] = await askBoth(target, row, { key, objects, id: objectOf(row, foreign) });
      if (one !== other) found.push(`${nameOf(row)}: ${one.slice(0, 300)} | ${other.slice(0, 300)}`);
    }
  }
  return found;
};

const isRemoving = ({ operation }: Row): boolean => /^(remove|delete|revoke|end|finish)/u.test(operation.id);

/**
 * Rows in which the owner's own object is answered like a missing one: of them the comparison shows nothing.
 * Those that remove come last. It also shows that no foreign call has removed an object.
 */
const findBlind = async (target: Target, key: string, objects: Objects): Promise<readonly string[]> => {
  const isCompared = ({ operation: { id } }: Row): boolean =>
    !byLink.includes(id) && !withOwnTests.includes(id);
  const rows = rowsOf(target).filter(isCompared);
  const found: string[] = [];
  for (const row of [...rows.filter((one) => !isRemoving(one)), ...rows.filter(isRemoving)]) {
    const [one, other] = await askBoth(target, row, { key, objects, id: objectOf(row, objects) });
    if (one === other && !one.startsWith("501 ")) found.push(`${nameOf(row)}: ${one.slice(0, 300)}`);
  }
  return found;
};

export type Revelations = {
  /**
   * Operations that answer an object of another tenant or environment otherwise than one that there is not.
   */
  readonly revealing: readonly string[];
  /** Operations that answer the owner's object like one that there is not. */
  readonly blind: readonly string[];
};

/**
 * Asks every operation that names a stored object for one of another tenant and one of the other environment,
 * and for one that there is not.
 */
export const findRevelations = async (target: Target): Promise<Revelations> => {
  const { all, otherTenant, live } = target.keys;
  const own = await makeObjects(target, all);
  const revealing: string[] = [];
  const blind: string[] = [];
  for (const owner of [live, otherTenant]) {
    const foreign = await makeObjects(target, owner);
    revealing.push(...(await findRevealing(target, all, own, foreign)));
    if (owner === otherTenant) blind.push(...(await findBlind(target, owner, foreign)));
  }
  return { revealing, blind };
};

import { memberOf } from "../../scripts/contract/json.ts";
import type { Operation } from "../../scripts/contract/read-contract.ts";
import { drawWithoutFace, persons, toBase64 } from "../harness/images.ts";
import { jsonOf, type Received } from "./exchange.ts";
import { filledPath } from "./keys.ts";
import type { Target } from "./target.ts";

/** Objects that one key made, by the name of the field that refers to them. */
type Objects = Readonly<Record<string, string>>;

const post = async (target: Target, id: string, key: string, fields: object): Promise<unknown> => {
  const { method, path } = target.operation(id);
  const headers = { "content-type": "application/json", "x-api-key": key };
  const received = await target.exchange({
    method,
    path,
    headers,
    body: Buffer.from(JSON.stringify(fields)),
  });
  if (received.status !== 200) throw new Error(`${id} answered ${received.status}: ${received.text}`);
  return jsonOf(received);
};

const userId = "user-of-another-tenant";

/** A validation, a judged token, an operation and a user. */
const makeObjects = async (target: Target, key: string): Promise<Objects> => {
  const image = toBase64(await drawWithoutFace());
  const started = await post(target, "startDocumentValidation", key, {
    country: "CHL",
    idType: "PASSPORT",
    documentFrontRawImage: image,
  });
  const bestImageToken = await target.seal("best-image");
  const operationId = crypto.randomUUID();
  const identity = await post(target, "identity", key, {
    token1: toBase64(persons.portrait),
    bestImageToken,
    method: "3",
    tracking: { operationId },
  });
  await post(target, "authenticateUser", key, {
    userId,
    merchantReferenceId: "a",
    registeredTemplateRaw: await target.seal("face-image", persons.portrait),
    bestImageToken: await target.seal("best-image"),
  });
  return {
    scanReference: String(memberOf(started, "scanReference")),
    transactionId: String(memberOf(identity, "serviceTransactionId")),
    serviceTransactionId: String(memberOf(identity, "serviceTransactionId")),
    bestImageToken,
    userId,
    operation: operationId,
    operationId,
  };
};

const references = [
  "scanReference",
  "transactionId",
  "serviceTransactionId",
  "userId",
  "userIds",
  "operation",
  "operationId",
] as const;

/** Operations with a reference to a stored object, in the path or the body. */
const referring = (target: Target): readonly (readonly [Operation, (typeof references)[number]])[] =>
  target.contract.operations.flatMap((operation) => {
    const body = Object.keys(Object(operation.bodyExample));
    const stated = [...operation.parameters.map(({ name }) => name), ...body];
    const reference = references.find((name) => stated.includes(name));
    return reference === undefined ? [] : [[operation, reference] as const];
  });

/** Parts of an answer that differ between any two calls. */
const withoutVarying = ({ status, type, text }: Received, id: string): string =>
  [status, type, text.replaceAll(id, "ID")]
    .join(" ")
    .replaceAll(
      /"(timestamp|serviceTransactionId|transactionId|requestId|serviceTime)":"[^"]*"/g,
      '"$1":"…"',
    );

const ask = async (
  target: Target,
  operation: Operation,
  key: string,
  objects: Objects,
  id: string,
  reference: string,
): Promise<string> => {
  const example: object = Object(operation.bodyExample);
  // An own token of the caller takes the place of the examples, which no deployment could open.
  const tokens = {
    ...("bestImageToken" in example && { bestImageToken: objects["bestImageToken"] }),
    ...("oldRegisteredTemplateRaw" in example && {
      oldRegisteredTemplateRaw: await target.seal("face-image", persons.portrait),
      newRegisteredTemplateRaw: await target.seal("face-image", persons.portrait),
    }),
    ...("documentFrontRawImage" in example && {
      documentFrontRawImage: toBase64(persons.portrait),
      documentRawImageMimeType: "image/jpeg",
    }),
    ...("frontsideImage" in example && { frontsideImage: toBase64(persons.portrait) }),
  };
  const stated = reference === "userIds" ? { userIds: [id] } : { [reference]: id };
  const fields = { ...example, ...tokens, ...(operation.path.includes(`{${reference}}`) ? {} : stated) };
  const hasBody = operation.bodies.size > 0;
  const inQuery = operation.security.includes("apiKeyInQuery");
  const received = await target.exchange({
    method: operation.method,
    path: `${filledPath(operation, id)}${inQuery ? `?apiKey=${key}&token=a` : ""}`,
    headers: { "x-api-key": key, ...(hasBody && { "content-type": "application/json" }) },
    ...(hasBody && { body: Buffer.from(JSON.stringify(fields)) }),
  });
  return withoutVarying(received, id);
};

/**
 * Asks every operation that refers to a stored object for one of another tenant and one of the other environment, and
 * for one that there is not. Returns the operations whose answers differ.
 */
export const findRevealingOperations = async (target: Target): Promise<readonly string[]> => {
  const { all, otherTenant, live } = target.keys;
  const found: string[] = [];
  for (const owner of [otherTenant, live]) {
    const objects = await makeObjects(target, owner);
    for (const [operation, reference] of referring(target)) {
      // A first authentication enrols, and a test event opens its operation: the caller names what it makes.
      if (operation.id.startsWith("authenticateUser") || operation.id === "triggerEvent") continue;
      const foreign = objects[reference === "userIds" ? "userId" : reference] ?? "";
      const missing = reference.startsWith("userId") ? "user-that-there-is-not" : crypto.randomUUID();
      const one = await ask(target, operation, all, objects, foreign, reference);
      const other = await ask(target, operation, all, objects, missing, reference);
      if (one !== other) found.push(`${operation.name}: ${one.slice(0, 300)} | ${other.slice(0, 300)}`);
    }
  }
  return found;
};

import { setTimeout as sleep } from "node:timers/promises";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { memberOf } from "../../scripts/contract/json.ts";
import { drawCases, persons, toBase64 } from "../harness/images.ts";
import { jsonOf } from "./exchange.ts";
import type { Target } from "./target.ts";

/** Fields of paths, queries and bodies that name a stored object. */
export const objectFields = [
  "scanReference",
  "transactionId",
  "serviceTransactionId",
  "userId",
  "userIds",
  "operation",
  "operationId",
  "asset",
  "id",
  "destinationId",
  "eventId",
  "verificationId",
  "captureSessionId",
  "keyId",
] as const;

export type ObjectField = (typeof objectFields)[number];

/**
 * Objects that one key made, by the field that names them, with the token of its call and the template of its
 * user.
 */
export type Objects = Readonly<
  Record<ObjectField | "bestImageToken" | "template" | "signedDocument", string>
>;

/** Longest time until the document waits for a reviewer. */
const reviewMsMax = 120_000;

type Ask = (
  id: string,
  options: { readonly path?: string; readonly fields?: object; readonly mayFail?: boolean },
) => Promise<unknown>;

const makeAsk =
  (target: Target, key: string): Ask =>
  async (id, { path, fields, mayFail = false }) => {
    const operation = target.operation(id);
    const received = await target.exchange({
      method: operation.method,
      path: path ?? operation.path,
      headers: { "x-api-key": key, ...(fields && { "content-type": "application/json" }) },
      ...(fields && { body: Buffer.from(JSON.stringify(fields)) }),
    });
    if (received.status !== 200 && !mayFail)
      throw new Error(`${id} answered ${received.status}: ${received.text}`);
    return received.status === 200 ? jsonOf(received) : undefined;
  };

/** A document whose check digit is wrong. The key has claimed its review. */
const startReview = async (ask: Ask): Promise<string> => {
  const doubtful = (await drawCases())["broken-check-digit"];
  const started = await ask("startDocumentValidation", {
    fields: {
      country: "CHL",
      idType: "PASSPORT",
      documentFrontRawImage: toBase64(doubtful?.document ?? new Uint8Array()),
    },
  });
  const scanReference = String(memberOf(started, "scanReference"));
  const end = performance.now() + reviewMsMax;
  const path = `/operator/reviews/${scanReference}/claim`;
  while ((await ask("claimReview", { path, fields: {}, mayFail: true })) === undefined) {
    if (performance.now() > end) throw new Error("The document does not wait for a reviewer");
    await sleep(200);
  }
  return scanReference;
};

/** A kept signed document, by the transaction of its signing. The target keeps signed documents. */
const signDocument = async (ask: Ask, identity: unknown): Promise<string> => {
  const signed = await ask("digitalSign", {
    fields: {
      endUserContactInfo: "anna@example.org",
      file: toBase64(makePdf({})),
      signingData: {
        facialAuthenticationHash: memberOf(identity, "facialAuthenticationHash"),
        serviceTransactionId: memberOf(identity, "serviceTransactionId"),
      },
      signingLocation: { city: "Santiago", country: "CHL" },
      signingType: "1",
    },
  });
  return String(memberOf(signed, "serviceTransactionId"));
};

/** A verification that waits for its capture session. */
const openVerification = async (ask: Ask): Promise<Pick<Objects, "verificationId" | "captureSessionId">> => {
  const fields = { flow: "document", document: { country: "CHL", type: "PASSPORT" }, capture: {} };
  const created = await ask("createVerification", { fields });
  return {
    verificationId: String(memberOf(created, "verificationId")),
    captureSessionId: String(memberOf(created, "capture", "sessionId")),
  };
};

/**
 * A document in review, a signed document, a judged token, a user, a destination, an API key, an operation
 * with its events and an image, and a verification with its capture session.
 */
export const makeObjects = async (target: Target, key: string): Promise<Objects> => {
  const ask = makeAsk(target, key);
  // No such host (RFC 2606): its deliveries stay due.
  const destination = { name: "Receiver", url: "https://receiver.invalid/", topics: ["*"] };
  const created = await ask("createDestination", { fields: destination });
  const bestImageToken = await target.seal("best-image");
  const operationId = crypto.randomUUID();
  const identity = await ask("identity", {
    fields: { token1: toBase64(persons.portrait), bestImageToken, method: "3", tracking: { operationId } },
  });
  const userId = `user-${crypto.randomUUID()}`;
  const enrolled = await ask("authenticateUser", {
    fields: {
      userId,
      merchantReferenceId: "a",
      registeredTemplateRaw: await target.seal("face-image", persons.portrait),
      bestImageToken: await target.seal("best-image"),
    },
  });
  const shown = await ask("showOperation", { path: `/operator/operations/${operationId}` });
  const asset = String(memberOf(shown, "assets", "0", "id"));
  const serviceTransactionId = String(memberOf(identity, "serviceTransactionId"));
  const made = await ask("createKey", { fields: { name: "Key", scopes: ["face"] } });
  return {
    scanReference: await startReview(ask),
    transactionId: serviceTransactionId,
    serviceTransactionId,
    bestImageToken,
    template: String(memberOf(enrolled, "registeredTemplateRaw")),
    userId,
    userIds: userId,
    operation: operationId,
    operationId,
    asset,
    id: asset,
    signedDocument: await signDocument(ask, identity),
    destinationId: String(memberOf(created, "destinationId")),
    eventId: String(memberOf(shown, "events", "0", "id")),
    keyId: String(memberOf(made, "keyId")),
    ...(await openVerification(ask)),
  };
};

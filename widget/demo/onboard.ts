/**
 * The calls of the demo: the one place that knows the routes of an onboarding. It takes images and tokens,
 * and returns the answers with the records behind them.
 */
import { listAt, textAt } from "./answer.ts";
import type { Client } from "./client.ts";

/** What was captured. Images and tokens in Base64. */
export type Captured = {
  readonly operationId: string;
  /** The capture session, whose images the service reads by itself. Absent: the images come with the call. */
  readonly captureSessionId?: string;
  /** The tracking token of a capture session. */
  readonly extraData?: string;
  readonly country: string;
  readonly idType: string;
  readonly front: string;
  readonly back?: string;
  /** The image of the face, to be shown. */
  readonly selfie: string;
  /**
   * What stands for the best image in the calls: an image with a test key, or the token of a capture session.
   */
  readonly bestImage: string;
};

/** The steps in their order. */
export const stages = ["verification", "quality", "finish", "records"] as const;

export type Stage = (typeof stages)[number];

/** The answers of an onboarding, unread. */
export type Onboarded = {
  /** The verification at its end, or while a reviewer decides. */
  readonly verification: unknown;
  readonly extraction: unknown;
  readonly outcome: Outcome;
  /** The timeline of the operation. */
  readonly operation: unknown;
  /** Records by what was called or decided. */
  readonly records: Readonly<Record<string, unknown>>;
  /** Landmarks of the faces, which no record keeps: measured again from the images, for the drawing alone. */
  readonly meshes: { readonly selfie: unknown; readonly portrait: unknown };
  readonly ms: number;
};

export const demoOutcomes = ["approved", "rejected", "retry", "review", "error"] as const;

export type Outcome = (typeof demoOutcomes)[number];

/** The status of finishTracking. */
const endOf: Readonly<Record<Outcome, string>> = {
  approved: "SUCCEEDED",
  rejected: "DENIED",
  retry: "CANCELLED",
  review: "CANCELLED",
  error: "ERROR",
};

/** What the verification came to: its decision, or the review that it waits for. */
export const outcomeOf = (verification: unknown): Outcome => {
  const decision = textAt(verification, "decision");
  const known = demoOutcomes.find((one) => one === decision);
  if (known !== undefined) return known;
  return textAt(verification, "state") === "IN_REVIEW" ? "review" : "error";
};

const decisionMsMax = 120_000;
const askEveryMs = 300;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks for the verification until the service has done its part. */
const awaitEnd = async (client: Client, created: unknown): Promise<unknown> => {
  const path = `/verify/v1/verifications/${encodeURIComponent(textAt(created, "verificationId") ?? "")}`;
  const until = performance.now() + decisionMsMax;
  let shown = created;
  while (textAt(shown, "nextStep") === "wait" && performance.now() < until) {
    await pause(askEveryMs);
    shown = await client.get(path);
  }
  return shown;
};

/** One call in place of document validation and identity. */
const verify = async (client: Client, captured: Captured): Promise<unknown> => {
  const { operationId, captureSessionId, country, idType, front, back, bestImage } = captured;
  const images =
    captureSessionId === undefined
      ? {
          operationId,
          selfie: bestImage,
          documentFront: front,
          ...(back !== undefined && { documentBack: back }),
        }
      : { captureSessionId };
  const asked = { flow: "document_and_selfie", document: { country, type: idType }, ...images };
  return await awaitEnd(client, await client.post("/verify/v1/verifications", asked));
};

/** The records of the steps of an operation. A step of the same kind takes the place of an earlier one. */
const readRecords = async (client: Client, operation: unknown): Promise<Onboarded["records"]> => {
  const records: Record<string, unknown> = {};
  for (const step of listAt(operation, "steps")) {
    const [id, endpoint] = [textAt(step, "transactionId"), textAt(step, "endpoint")];
    if (id === undefined || endpoint === undefined) continue;
    records[endpoint] = await client.get(`/operator/transactions/${encodeURIComponent(id)}`);
  }
  return records;
};

/** Runs a whole onboarding and reports each stage when it begins. Rejects with CallError. */
export const onboard = async (
  client: Client,
  captured: Captured,
  begin: (stage: Stage) => void,
): Promise<Onboarded> => {
  const began = performance.now();
  const { operationId, extraData, front, selfie, bestImage } = captured;
  begin("verification");
  const verification = await verify(client, captured);
  const outcome = outcomeOf(verification);
  begin("quality");
  const extraction = await client.post("/services/extractFacial", { tokenBuffer: bestImage });
  begin("finish");
  const end = { family: "OnBoarding", status: endOf[outcome], reason: "" };
  await client.post("/services/finishTracking", { ...end, extraData: extraData ?? "", operationId });
  const ms = performance.now() - began;
  begin("records");
  const operation = await client.get(`/operator/operations/${encodeURIComponent(operationId)}`);
  const meshOf = (image: string): Promise<unknown> => client.post("/sandbox/v1/mesh", { image });
  return {
    verification,
    extraction,
    outcome,
    operation,
    records: await readRecords(client, operation),
    meshes: { selfie: await meshOf(selfie), portrait: await meshOf(front) },
    ms,
  };
};

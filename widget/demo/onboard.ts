/**
 * The calls of the demo: the one place that knows the routes of an onboarding. It takes images and tokens, and returns the
 * answers with the records behind them.
 */
import { verificationCode } from "#contract/verification-code";
import { listAt, numberAt, textAt } from "./answer.ts";
import type { Client } from "./client.ts";

/** What was captured. Images and tokens in Base64. */
export type Captured = {
  readonly operationId: string;
  /** The tracking token of a capture session. */
  readonly extraData?: string;
  readonly country: string;
  readonly idType: string;
  readonly front: string;
  readonly back?: string;
  /** The image of the face, to be shown. */
  readonly selfie: string;
  /** What stands for the best image in the calls: an image with a test key, or the token of a capture session. */
  readonly bestImage: string;
};

/** The steps in their order. */
export const stages = ["start", "identity", "quality", "decision", "finish", "records"] as const;

export type Stage = (typeof stages)[number];

/** The answers of an onboarding, unread. */
export type Onboarded = {
  readonly identity: unknown;
  readonly extraction: unknown;
  /** The answer of documentValidation/v2/data. */
  readonly validation: unknown;
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

/** Joins face and document: the worse result decides. A review outranks another attempt. */
export const joinOutcomes = (face: string | undefined, code: number | undefined): Outcome => {
  if (face === "error" || face === undefined || code === undefined) return "error";
  if (face === "rejected" || code === verificationCode.Declined) return "rejected";
  if (code === verificationCode.Review) return "review";
  return face === "approved" && code === verificationCode.Approved ? "approved" : "retry";
};

const decisionMsMax = 120_000;
const askEveryMs = 300;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The document is analysed after its call has answered: asks until it is decided. */
const awaitDecision = async (client: Client, scanReference: string): Promise<void> => {
  const until = performance.now() + decisionMsMax;
  while (performance.now() < until) {
    const answer = await client.post("/verify/documentValidation/v2/status", { scanReference });
    if (textAt(answer, "status") !== "PENDING") return;
    await pause(askEveryMs);
  }
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
  const { operationId, extraData, country, idType, front, back, selfie, bestImage } = captured;
  const tracking = { operationId, ...(extraData !== undefined && { extraData }) };
  begin("start");
  const started = await client.post("/verify/documentValidation/v2/start", {
    country,
    idType,
    documentFrontRawImage: front,
    ...(back !== undefined && { documentBackRawImage: back }),
    tracking,
  });
  const scanReference = textAt(started, "scanReference") ?? "";
  begin("identity");
  const identity = await client.post("/onboarding/v2/identity", {
    token1: front,
    bestImageToken: bestImage,
    method: "3",
    tracking,
  });
  begin("quality");
  const extraction = await client.post("/services/extractFacial", { tokenBuffer: bestImage });
  begin("decision");
  await awaitDecision(client, scanReference);
  const validation = await client.post("/verify/documentValidation/v2/data", { scanReference });
  const outcome = joinOutcomes(textAt(identity, "outcome"), numberAt(validation, "verification.code"));
  begin("finish");
  const end = { family: "OnBoarding", status: endOf[outcome], reason: "" };
  await client.post("/services/finishTracking", { ...end, extraData: extraData ?? "", operationId });
  const ms = performance.now() - began;
  begin("records");
  const operation = await client.get(`/operator/operations/${encodeURIComponent(operationId)}`);
  const meshOf = (image: string): Promise<unknown> => client.post("/sandbox/v1/mesh", { image });
  return {
    identity,
    extraction,
    validation,
    outcome,
    operation,
    records: await readRecords(client, operation),
    meshes: { selfie: await meshOf(selfie), portrait: await meshOf(front) },
    ms,
  };
};

import { setTimeout as sleep } from "node:timers/promises";
import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { type PublishedKeys, sealToken } from "#trust/tokens/seal";
import { CommandError } from "../../command.ts";
import type { Client } from "./client.ts";

const started = makeCheck(Type.Object({ scanReference: Type.String() }));
const status = makeCheck(Type.Object({ status: Type.Enum(["PENDING", "DONE", "FAILED"]) }));
const identityAnswer = Type.Object({
  facialAuthenticationResult: Type.Integer(),
  facialAuthenticationSimilarity: Type.Number(),
  passiveLivenessResult: Type.Integer(),
  outcome: Type.String(),
  serviceTransactionId: Type.String(),
  facialAuthenticationHash: Type.Optional(Type.String()),
});
const compared = makeCheck(identityAnswer);
const decided = makeCheck(
  Type.Object({
    verification: Type.Object({
      code: Type.Integer(),
      reasonCode: Type.Union([Type.Integer(), Type.Null()]),
      reason: Type.Union([Type.String(), Type.Null()]),
      portraitEvidence: Type.Optional(Type.String()),
    }),
  }),
);

/** One onboarding and its result. Times in milliseconds, as the caller measures them. */
export type Onboarding = {
  /** Of the document validation. */
  readonly scanReference: string;
  readonly identity: Static<typeof identityAnswer>;
  readonly verification: {
    readonly code: number;
    readonly reasonCode: number | null;
    readonly reason: string | null;
    /** What ties the portrait to the document. */
    readonly portraitEvidence?: string;
  };
  readonly outcome: "approved" | "rejected" | "retry" | "review" | "error";
  readonly identityMs: number;
  readonly documentMs: number;
  readonly ms: number;
};

/** The operation of an onboarding, as a capture SDK names it. */
export type Operation = { readonly operationId: string; readonly extraData: string };

/** What an onboarding may add to its calls. */
export type OnboardingOptions = {
  readonly operation?: Operation;
  /** The reference of the caller for the person. */
  readonly merchantIdScanReference?: string;
};

/** The status of finishTracking for the result of an onboarding. */
const endOf = {
  approved: "SUCCEEDED",
  rejected: "DENIED",
  retry: "CANCELLED",
  review: "CANCELLED",
  error: "ERROR",
} as const satisfies Readonly<Record<Onboarding["outcome"], string>>;

/** Ends the operation of an onboarding. */
export const finish = async (
  client: Client,
  { outcome }: Pick<Onboarding, "outcome">,
  { extraData }: Operation,
): Promise<void> => {
  const end = { family: "OnBoarding", status: endOf[outcome], reason: "", extraData };
  await call(client, "/services/finishTracking", end);
};

/**
 * Calls documentValidation/v2/start, identity (method 3: the document's photograph as reference), status
 * until done, and data: the sequence of the interface document. Throws `CommandError` on any answer that is
 * not 200.
 */
export const onboard = async (
  client: Client,
  keys: PublishedKeys,
  images: { readonly document: Uint8Array; readonly selfie: Uint8Array },
  { operation, ...reference }: OnboardingOptions = {},
): Promise<Onboarding> => {
  const begin = performance.now();
  const documentFrontRawImage = Buffer.from(images.document).toString("base64");
  const tracked = operation && { tracking: operation };
  const start = { country: "CHL", idType: "PASSPORT", documentFrontRawImage, ...reference, ...tracked };
  const { scanReference } = started.Parse(await call(client, "/verify/documentValidation/v2/start", start));
  const identityStart = performance.now();
  const identity = compared.Parse(
    await call(client, "/onboarding/v2/identity", {
      token1: documentFrontRawImage,
      bestImageToken: await sealToken({
        keys,
        kind: "best-image",
        payload: images.selfie,
        now: new Date(),
      }),
      method: "3",
      ...tracked,
    }),
  );
  const identityMs = performance.now() - identityStart;
  await awaitDecision(client, scanReference);
  const documentMs = performance.now() - begin;
  const { verification } = decided.Parse(
    await call(client, "/verify/documentValidation/v2/data", { scanReference }),
  );
  const ms = performance.now() - begin;
  return {
    scanReference,
    identity,
    verification,
    outcome: join(identity.outcome, verification.code),
    identityMs,
    documentMs,
    ms,
  };
};

/** Posts a request; throws on anything but HTTP 200. */
export const call = async (client: Client, path: string, body: unknown): Promise<unknown> => {
  const answer = await client.post(path, body);
  if (answer.status === 504) {
    throw new CommandError(
      `${path} answered 504. The machine is busy. Run it again, or set IDEM_REQUEST_TIMEOUT_MS to more milliseconds (30000).`,
    );
  }
  if (answer.status !== 200) {
    throw new CommandError(`${path} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 400)}`);
  }
  return answer.body;
};

const pollMs = 40;
const decisionMsMax = 60_000;

/** Polls until the validation is decided; fails after a minute. */
export const awaitDecision = async (client: Client, scanReference: string): Promise<void> => {
  const until = performance.now() + decisionMsMax;
  while (performance.now() < until) {
    const answer = status.Parse(
      await call(client, "/verify/documentValidation/v2/status", { scanReference }),
    );
    if (answer.status !== "PENDING") {
      return;
    }
    await sleep(pollMs);
  }
  throw new CommandError(`The validation ${scanReference} is not decided after ${decisionMsMax / 1000} s.`);
};

/** Joins face and document: the worse result decides. A manual review outranks another attempt. */
const join = (face: string, code: number): Onboarding["outcome"] => {
  if (face === "error") {
    return "error";
  }
  if (face === "rejected" || code === 9102) {
    return "rejected";
  }
  if (code === 9121) {
    return "review";
  }
  return face === "approved" && code === 9001 ? "approved" : "retry";
};

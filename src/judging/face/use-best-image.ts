import { createHash } from "node:crypto";
import type { Call } from "#contract/endpoint";
import type { TokenUse } from "#record/transactions/record";
import type { OpenedToken } from "#trust/tokens/token";
import type { LevelMin } from "./liveness/level.ts";

/** Which calls may judge one best image, and until when. */
export type BestImageRules = {
  /**
   * `operation`: one call of each kind, all of one operation. `once`: one call. `many`: any calls, and no use
   * is remembered.
   */
  readonly uses: "operation" | "once" | "many";
  /** How long a best-image token is accepted. Its use is remembered for the same time. */
  readonly ageMs: number;
  /** The least level of assurance of a best image, by the kind of the call; absent: any. */
  readonly levelMin?: Readonly<Record<JudgingCall, LevelMin>>;
};

/** A kind of call that judges a best image. */
export type JudgingCall = "liveness" | "identity" | "authenticateUser";

/**
 * How long a token whose calls name no operation serves calls of other kinds: ten minutes, the default age of
 * a capture. An operator who accepts older captures does not lengthen it.
 */
export const openUseMs = 600_000;

/**
 * The marks of a judged best image as used, valid for as long as the image would be accepted. An open image
 * of a test key has none: anyone can encode it anew, and one image for all calls is what a first integration
 * sends.
 */
export const usesOf = (
  { uses, ageMs }: BestImageRules,
  { hash, issuedAt, isSealed }: Pick<OpenedToken, "hash" | "issuedAt" | "isSealed">,
  call: Pick<Call<unknown>, "caller" | "receivedAt" | "tracking">,
  kind: JudgingCall,
): readonly TokenUse[] => {
  if (!isSealed && call.caller.environment === "test") return [];
  const use = { hash, expiresAt: new Date(issuedAt.getTime() + ageMs) };
  if (uses !== "operation") return uses === "once" ? [use] : [];
  const { receivedAt: at } = call;
  const operation = operationOf(call, hash);
  const shared = {
    call: kind,
    environment: call.caller.environment,
    at,
    openUntil: new Date(at.getTime() + openUseMs),
  };
  return [{ ...use, shared: { ...shared, ...(operation !== undefined && { operation }) } }];
};

/**
 * The operation of a call: a hash, because the identifier comes from outside and can hold personal data. The
 * token's hash is part of it, so that the uses of two tokens cannot be joined.
 */
const operationOf = ({ tracking }: Pick<Call<unknown>, "tracking">, tokenHash: string): string | undefined =>
  tracking?.operationId === undefined
    ? undefined
    : createHash("sha256")
        .update(JSON.stringify([tokenHash, tracking.operationId]))
        .digest("hex");

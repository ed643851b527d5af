import { type Base64Text, EncodedBytes } from "./base64.ts";
import type { UncheckedFields } from "./request.ts";

/** The operation of the capture SDK to which a call belongs. A field that was absent or empty is absent. */
export type Tracking = {
  readonly operationId?: string;
  /**
   * Token of the SDK, still sealed; any text. A long one arrives as EncodedBytes, which keep its bytes where
   * it is Base64, else its text up to 128 KiB, else its first characters and its hash.
   */
  readonly extraData?: Base64Text;
};

const isFields = (value: unknown): value is UncheckedFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The text of a tracking token or id. A long text arrives as bytes. Of a text that is no Base64 and over 128
 * KiB, only its first characters and its hash arrive. Both represent it, so that two such texts never name
 * one operation.
 */
export const textOfToken = (token: Base64Text): string => {
  if (typeof token === "string") return token;
  const { head, decoding } = token;
  if (decoding.bytes !== undefined) return Buffer.from(decoding.bytes).toString("base64");
  if (decoding.text !== undefined) return Buffer.from(decoding.text).toString("utf8");
  return decoding.sha256 === undefined ? head : `${head} sha256:${decoding.sha256}`;
};

const givenToken = (value: unknown): Base64Text | undefined =>
  value instanceof EncodedBytes || (typeof value === "string" && value !== "") ? value : undefined;

/**
 * The tracking of a request that its route has accepted; undefined where it gave none. The interface puts the
 * fields of updateUserTemplate and finishTracking beside the others: they count where the object has none.
 */
export const trackingOf = (request: unknown): Tracking | undefined => {
  if (!isFields(request)) return undefined;
  const inside = isFields(request["tracking"]) ? request["tracking"] : {};
  const operationId = givenToken(inside["operationId"]) ?? givenToken(request["operationId"]);
  const extraData = givenToken(inside["extraData"]) ?? givenToken(request["extraData"]);
  if (operationId === undefined && extraData === undefined) return undefined;
  return {
    ...(operationId !== undefined && { operationId: textOfToken(operationId) }),
    ...(extraData !== undefined && { extraData }),
  };
};

import { type Base64Text, EncodedBytes } from "./base64.ts";
import type { UncheckedFields } from "./request.ts";

/** The operation of the capture SDK to which a call belongs. A field that was absent or empty is absent. */
export type Tracking = {
  readonly operationId?: string;
  /**
   * Token of the SDK, still sealed; any text. A long one arrives as EncodedBytes, which keep its bytes where it is
   * Base64, else its text up to 128 KiB, else its first characters and its hash.
   */
  readonly extraData?: Base64Text;
};

const isFields = (value: unknown): value is UncheckedFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const givenText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const givenToken = (value: unknown): Base64Text | undefined =>
  value instanceof EncodedBytes ? value : givenText(value);

/**
 * The tracking of a request that its route has accepted; undefined where it gave none. The interface puts the fields of
 * updateUserTemplate and finishTracking beside the others: they count where the object has none.
 */
export const trackingOf = (request: unknown): Tracking | undefined => {
  if (!isFields(request)) return undefined;
  const inside = isFields(request["tracking"]) ? request["tracking"] : {};
  const operationId = givenText(inside["operationId"]) ?? givenText(request["operationId"]);
  const extraData = givenToken(inside["extraData"]) ?? givenToken(request["extraData"]);
  if (operationId === undefined && extraData === undefined) return undefined;
  return { ...(operationId !== undefined && { operationId }), ...(extraData !== undefined && { extraData }) };
};

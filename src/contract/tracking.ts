import { type Base64Text, base64Fault, EncodedBytes } from "./base64.ts";
import { type RequestFault, type UncheckedFields, wrong } from "./request.ts";

/** The operation of the capture SDK to which a call belongs. A field that was absent or empty is absent. */
export type Tracking = {
  readonly operationId?: string;
  /** Token of the SDK in Base64, still sealed. */
  readonly extraData?: Base64Text;
};

const isFields = (value: unknown): value is UncheckedFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const givenText = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const givenBase64 = (value: unknown): Base64Text | undefined =>
  value instanceof EncodedBytes ? value : givenText(value);

/** The fault of a tracking token that is given and no Base64. */
export const extraDataFaults = (field: string, value: unknown): readonly RequestFault[] => {
  const extraData = givenBase64(value);
  const fault = extraData === undefined ? undefined : base64Fault(extraData);
  return fault === undefined ? [] : [wrong(field, fault.message, fault.code)];
};

/**
 * A fault when `tracking.extraData` is no Base64. The token itself is not opened: nothing of this release reads it,
 * and a capture whose tracking is lost should still be judged.
 */
export const trackingFaults = ({ tracking }: UncheckedFields): readonly RequestFault[] =>
  isFields(tracking) ? extraDataFaults("tracking.extraData", tracking["extraData"]) : [];

/**
 * The tracking of a request that its route has accepted; undefined where it gave none. The interface puts the fields of
 * updateUserTemplate and finishTracking beside the others: they count where the object has none.
 */
export const trackingOf = (request: unknown): Tracking | undefined => {
  if (!isFields(request)) return undefined;
  const inside = isFields(request["tracking"]) ? request["tracking"] : {};
  const operationId = givenText(inside["operationId"]) ?? givenText(request["operationId"]);
  const extraData = givenBase64(inside["extraData"]) ?? givenBase64(request["extraData"]);
  if (operationId === undefined && extraData === undefined) return undefined;
  return { ...(operationId !== undefined && { operationId }), ...(extraData !== undefined && { extraData }) };
};

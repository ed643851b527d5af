/**
 * The rule of a page's public key: a point of P-256 in its one spelling. Pure, so that no key of another form
 * binds a session.
 */
import { type RequestFault, type UncheckedFields, wrong } from "./request.ts";

/**
 * The field and the constant of P-256 (SEC 2, 2.4.2); a is -3, the cofactor 1, so every point of the curve
 * but infinity is a key.
 */
const p = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/**
 * A coordinate; undefined for a text of other than 32 bytes, a second spelling of the same bytes, and a
 * number beyond the field.
 */
const readCoordinate = (text: unknown): bigint | undefined => {
  if (typeof text !== "string" || !/^[\w-]{43}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  if (bytes.toString("base64url") !== text) return undefined;
  const value = BigInt(`0x${bytes.toString("hex")}`);
  return value < p ? value : undefined;
};

/** Whether two coordinates in Base64url are a point of P-256. */
export const isCurvePoint = (x: unknown, y: unknown): boolean => {
  const [across, up] = [readCoordinate(x), readCoordinate(y)];
  if (across === undefined || up === undefined) return false;
  return (up * up - (across * across * across - 3n * across + b)) % p === 0n;
};

/** The fault of a page key of the right form that is no point of the curve. The schema judges the form. */
export const pageKeyFaults = ({ pageKey }: UncheckedFields): readonly RequestFault[] => {
  if (typeof pageKey !== "object" || pageKey === null) return [];
  const { x, y }: UncheckedFields = { ...pageKey };
  return isCurvePoint(x, y) ? [] : [wrong("pageKey", "must be a point of the curve P-256")];
};

import { isAscii, isUtf8 } from "node:buffer";
import { Failure } from "#contract/failure";

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Text of a body. ASCII, which a Base64 body is, goes the cheap way: one byte a character, no validation twice.
 */
const textOf = (body: Buffer): string => {
  if (isAscii(body)) return body.toString("latin1");
  if (!isUtf8(body)) throw new Failure("json_unreadable");
  return body.subarray(0, 3).equals(byteOrderMark) ? body.toString("utf8", 3) : body.toString("utf8");
};

/**
 * Parses the body of a call: one JSON object in UTF-8; a byte order mark is forgiven (RFC 8259, 8.1). Of doubled
 * keys the last one counts, as in every JSON.parse. An empty body, which some clients send under a JSON header with a call
 * that takes none, is an object without fields: what is missing is named by the call. Fails with json_unreadable, without the parser's message,
 * which would quote the body.
 */
export const parseBody = (body: Buffer): object => {
  if (body.length === 0) return {};
  const value = parseJson(textOf(body));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Failure("json_unreadable");
  return value;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("json_unreadable");
  }
};

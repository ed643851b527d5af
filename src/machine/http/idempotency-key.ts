import type { IncomingMessage } from "node:http";
import type { Route } from "#contract/endpoint";
import { idempotencyKeyLengthMax } from "#contract/idempotency";
import { wrong } from "#contract/request";
import { headerFailure } from "./headers.ts";

const header = "idempotency-key";

const printable = /^[\x20-\x7e]+$/;

/** A string of RFC 8941, 3.3.3: in quotes, with a backslash before a quote or a backslash. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key in the header Idempotency-Key of a POST; undefined without one, and for other methods, which repeat
 * safely. The draft's quoted string and the bare text that most clients send name the same key. Fails with
 * request_invalid.
 */
export const readIdempotencyKey = (
  { headers, rawHeaders }: Pick<IncomingMessage, "headers" | "rawHeaders">,
  { method }: Pick<Route, "method">,
): string | undefined => {
  const value = headers[header];
  if (method !== "POST" || value === undefined) return undefined;
  const times = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === header).length;
  // Several headers of this name arrive as one text, joined by commas: it would be a key that no caller
  // chose.
  if (times > 1) throw refused("must be sent once");
  const key = keyIn(String(value));
  if (key === undefined || key.length > idempotencyKeyLengthMax || !printable.test(key)) {
    throw refused(
      `must be 1 to ${idempotencyKeyLengthMax} printable ASCII characters, bare or as a quoted string (RFC 8941)`,
    );
  }
  return key;
};

const keyIn = (value: string): string | undefined =>
  value.startsWith('"') ? quoted.exec(value)?.[1]?.replaceAll(/\\(.)/g, "$1") : value;

const refused = (message: string) => headerFailure([wrong(header, message)]);

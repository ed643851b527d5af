import { Failure } from "./failure.ts";

/** Form of every reference in an answer (RFC 9562, 4): the service itself creates UUIDs of version 4. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The caller's reference in lower case, as it was created (RFC 9562, 4: input ignores case). A text that is
 * no UUID fails with the same not_found as an unknown reference, before a store that checks the type is
 * queried.
 */
export const knownReference = (sent: string): string => {
  if (!uuid.test(sent)) throw new Failure("not_found");
  return sent.toLowerCase();
};

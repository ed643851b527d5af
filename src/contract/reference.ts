import { Failure } from "./failure.ts";

/** Form of every reference that an answer names (RFC 9562, 4): the service itself makes UUIDs of version 4. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The reference that a caller sent, in the lower case in which it was made (RFC 9562, 4: case is no difference on
 * input). What is no UUID names nothing, so it fails with the very not_found of a reference that does not exist,
 * before a store is asked that knows the type.
 */
export const knownReference = (sent: string): string => {
  if (!uuid.test(sent)) throw new Failure("not_found");
  return sent.toLowerCase();
};

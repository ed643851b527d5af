import { createHash } from "node:crypto";
import { customerIdLengthMax } from "#contract/event";

/**
 * `customerId` of an event from the name that a caller uses for the person: the name without outer spaces; a
 * longer one than 36 characters as a UUID (version 8, RFC 9562) of its SHA-256, so that equal names give
 * equal ids. Undefined for an empty name.
 */
export const customerIdOf = (name: string): string | undefined => {
  const text = name.trim();
  if (text === "") return undefined;
  return text.length <= customerIdLengthMax ? text : uuidOf(text);
};

const uuidOf = (text: string): string => {
  const bytes = createHash("sha256").update(text, "utf8").digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

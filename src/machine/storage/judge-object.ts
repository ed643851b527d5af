import type { StatedObject } from "./blob-store.ts";
import type { ReadObject } from "./read-object.ts";
import { sealedLengthOf } from "./sealed-box.ts";

/**
 * What is wrong with an object that a row names. changed: the bytes are others, by one bit or all of them;
 * the object of another blob in its place is one case of it. unreadable: disk or bucket give out others, and
 * not this one.
 */
export type ObjectFault = "missing" | "emptied" | "length" | "changed" | "unreadable";

/**
 * Compares a stored object with its row: its length always, its hash where the row has one. No key is needed.
 * The hash is computed beside the main thread.
 */
export const judgeObject = async (
  { bytes, sha256 }: Pick<StatedObject, "bytes" | "sha256">,
  object: ReadObject,
): Promise<ObjectFault | undefined> => {
  if (object === "unreadable") return "unreadable";
  if (object === "too long") return "length";
  if (object === undefined) return "missing";
  if (object.length === 0) return "emptied";
  if (object.length !== sealedLengthOf(bytes)) return "length";
  return sha256 === undefined || (await sha256Of(object)) === sha256 ? undefined : "changed";
};

/** SHA-256 as 64 hex digits, computed beside the main thread. */
export const sha256Of = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))).toString("hex");

/** The fault as the end of a sentence about the object. */
export const faultWords: Readonly<Record<ObjectFault, string>> = {
  missing: "is missing",
  emptied: "is empty",
  length: "has another length than its row states",
  changed: "has other bytes than were stored",
  unreadable: "cannot be read, while others can",
};

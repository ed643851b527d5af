import type { Caller } from "#contract/endpoint";
import { type Tracking, textOfToken } from "#contract/tracking";
import type { Keyring } from "#machine/storage/blobs";

/** An id of the capture SDK that stands in the `source` of events as it is. */
const plainId = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,127}$/u;

type Namer = Pick<Caller, "tenantId" | "environment">;

type Hashing = Pick<Keyring, "pseudonym">;

/** Hash of a text within tenant and environment. Without the tenant's key it names no person. */
export const hashText = async (
  { pseudonym }: Hashing,
  { tenantId, environment }: Namer,
  use: "operation" | "customer" | "extra-data",
  text: string,
): Promise<string> => await pseudonym(tenantId, "operations", JSON.stringify([use, environment, text]));

/** Most bytes of a tracking token that a step keeps. */
const keptBytesMax = 65_536;

/** The part of a tracking token that a step keeps sealed: the whole characters of its first 64 KiB. */
export const keptExtraOf = (text: string): string => {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= keptBytesMax) return text;
  // A stream keeps the bytes of an incomplete last character back.
  return new TextDecoder().decode(bytes.subarray(0, keptBytesMax), { stream: true });
};

/**
 * The id under which an operation stands in the store and in events: the name as the SDK gave it, or its hash
 * where it is no plain id of up to 128 characters. An id of an operation is its own id.
 */
export const wireIdOf = async (keyring: Hashing, owner: Namer, name: string): Promise<string> =>
  plainId.test(name) ? name : await hashText(keyring, owner, "operation", name);

/**
 * The id of the operation that a call names, by `operationId`, or without it by the tracking token, which is
 * hashed.
 */
export const operationIdOf = async (
  keyring: Hashing,
  owner: Namer,
  { operationId, extraData }: Tracking,
): Promise<string | undefined> => {
  if (operationId !== undefined) return await wireIdOf(keyring, owner, operationId);
  return extraData === undefined
    ? undefined
    : await hashText(keyring, owner, "operation", textOfToken(extraData));
};

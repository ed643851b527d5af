import { Failure } from "#contract/failure";

/** Longest stored object: a blob of 64 MiB with what seals it. */
export const objectBytesMax = 64 * 1024 * 1024 + 1024;

/** Fails with stored_damaged for a length that no object has: it would fill the memory. */
export const checkObjectLength = (bytes: number): void => {
  if (bytes <= objectBytesMax) return;
  const cause = new Error(`An object has ${bytes} bytes, more than the ${objectBytesMax} of any object`);
  throw new Failure("stored_damaged", {}, { cause });
};

/**
 * The object store for the sealed bytes of blobs. It knows no keys and no rows. Ids are UUIDs; tenants match
 * {@link isObjectName}. Every command fails with `store_unavailable` if the disk or bucket fails. Implemented
 * by {@link makeDiskObjects} and {@link makeS3Objects}.
 */
export type Objects = {
  /** Resolves when the bytes survive a power loss. */
  readonly write: (name: ObjectName, bytes: Uint8Array) => Promise<void>;
  /**
   * Undefined when there is no such object. Fails with stored_damaged when it is longer than any object may
   * be.
   */
  readonly read: (name: ObjectName) => Promise<Uint8Array | undefined>;
  /** Removing a missing object is no error. */
  readonly remove: (name: ObjectName) => Promise<void>;
  /**
   * All stored objects, with the time of writing, in no order. Fails at its end where a part could not be
   * listed.
   */
  readonly list: () => AsyncIterable<ObjectName & { readonly writtenAt: Date }>;
  /**
   * Resolves when the disk or bucket answers and takes writes, as far as a check can show; rejects otherwise.
   * Cheap.
   */
  readonly ping: () => Promise<void>;
};

export type ObjectName = { readonly tenantId: string; readonly id: string };

const tenantPattern = /^[A-Za-z0-9_-]{1,64}$/;
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether these names may become a path: no dots, no slashes, bounded length. */
export const isObjectName = ({ tenantId, id }: ObjectName): boolean =>
  tenantPattern.test(tenantId) && idPattern.test(id);

/** Throws on names that must not become a path: ids come from our own rows, so this is a broken invariant. */
export const checkObjectName = (name: ObjectName): ObjectName => {
  if (!isObjectName(name)) {
    throw new Error("A blob's tenant or id is not made of the characters that a file name may have");
  }
  return name;
};

/**
 * Where the sealed bytes of blobs lie. Knows no keys and no rows. Ids are UUIDs, tenants as `objectName` allows. Every
 * command fails with `store_unavailable` where the place itself fails.
 */
export type Objects = {
  /** Resolves when the bytes survive a power loss. */
  readonly write: (name: ObjectName, bytes: Uint8Array) => Promise<void>;
  /** Undefined when there is no such object. */
  readonly read: (name: ObjectName) => Promise<Uint8Array | undefined>;
  /** Removing what is not there is no error. */
  readonly remove: (name: ObjectName) => Promise<void>;
  /** Everything stored, with the time of writing, in no order. */
  readonly list: () => AsyncIterable<ObjectName & { readonly writtenAt: Date }>;
  /** Resolves when the place answers and takes writes as far as one can ask; rejects otherwise. Cheap. */
  readonly ping: () => Promise<void>;
};

export type ObjectName = { readonly tenantId: string; readonly id: string };

const tenantPattern = /^[A-Za-z0-9_-]{1,64}$/;
const idPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether these words may become a path: no dots, no slashes, bounded. */
export const isObjectName = ({ tenantId, id }: ObjectName): boolean =>
  tenantPattern.test(tenantId) && idPattern.test(id);

/** Throws on words that must not become a path: ids come from our own rows, so this is a broken invariant. */
export const checkObjectName = (name: ObjectName): ObjectName => {
  if (!isObjectName(name)) {
    throw new Error("A blob's tenant or id is not made of the characters that a file name may have");
  }
  return name;
};

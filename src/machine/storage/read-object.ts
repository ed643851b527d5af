import { setTimeout } from "node:timers/promises";
import { Failure } from "#contract/failure";
import type { ObjectName, Objects } from "./objects.ts";
import { codeOf, isOutage } from "./outage.ts";

/**
 * What a read of an object gave: its bytes, undefined where there is none, or why it has no bytes to compare.
 */
export type ReadObject = Uint8Array | undefined | "too long" | "unreadable";

export type ReadDeps = {
  readonly objects: Pick<Objects, "read" | "list">;
  /**
   * The rows after a name. A read of the objects that they name tells an unreadable object from an outage.
   */
  readonly listBlobs: (after: ObjectName | undefined, limit: number) => Promise<readonly ObjectName[]>;
};

/**
 * Reads an object. Unreadable: its read fails, twice, while the disk or bucket gives out another object.
 * Fails as `objects.read` where no other one can be read either: that is an outage, which shows nothing of
 * this object.
 */
export const readObject = async (deps: ReadDeps, { tenantId, id }: ObjectName): Promise<ReadObject> => {
  const name = { tenantId, id };
  const read = async (): Promise<ReadObject | { readonly error: unknown }> => {
    try {
      return await deps.objects.read(name);
    } catch (error) {
      if (error instanceof Failure && error.code === "stored_damaged") return "too long";
      if (isUnanswered(error)) return { error };
      throw error;
    }
  };
  const first = await read();
  if (!isError(first)) return first;
  if (ownCode.test(originCode(first.error))) return "unreadable";
  if (!(await givesOthers(deps, name))) throw first.error;
  if (!isFileFault(first.error)) await setTimeout(secondLookMs);
  const second = await read();
  return isError(second) ? "unreadable" : second;
};

/** A bucket that was short of time or rate is asked once more after this. Our choice. */
const secondLookMs = 1000;

/**
 * Codes that the system gives for one file: another kind of file in its place, a loop of links, a pipe that
 * was closed, bytes or structure of the file that fail their checksum (xfs, btrfs, ext4: EUCLEAN, EBADMSG), a
 * name or data that is not there.
 */
const ownCode = /^(EISDIR|ELOOP|ENXIO|EUCLEAN|EBADMSG|EILSEQ|ENODATA)$/;

/** Codes of a single file, or of the disk or folder that it is on. */
const fileCode = /^(EIO|EREMOTEIO|EACCES|EPERM|EINVAL|EOVERFLOW)$/;

/** Whether a system call on a file failed for good, and not for want of time, memory or network. */
export const isFileFault = (error: unknown): boolean => {
  const code = originCode(error);
  return ownCode.test(code) || fileCode.test(code);
};

const originCode = (error: unknown): string =>
  codeOf(error instanceof Failure && error.cause !== undefined ? error.cause : error);

const isUnanswered = (error: unknown): boolean =>
  error instanceof Failure ? error.code === "store_unavailable" : isOutage(error);

const isError = (found: ReadObject | { readonly error: unknown }): found is { readonly error: unknown } =>
  typeof found === "object" && "error" in found;

/** Whether another object can be read now. Without another one: whether the objects can be listed. */
export const givesOthers = async (
  { objects, listBlobs }: ReadDeps,
  name: ObjectName | undefined,
): Promise<boolean> => {
  const asked = new Set<string>();
  let failed = 0;
  for (const place of placesBeside(name)) {
    for (const { tenantId, id } of await listBlobs(place, 1)) {
      if (asked.has(id) || id === name?.id) continue;
      asked.add(id);
      const found = await judgeRead(objects, { tenantId, id });
      if (found === "read") return true;
      failed += found === "failed" ? 1 : 0;
    }
  }
  return failed === 0 && (await isListed(objects));
};

const judgeRead = async (
  objects: Pick<Objects, "read">,
  name: ObjectName,
): Promise<"read" | "missing" | "failed"> => {
  try {
    return (await objects.read(name)) === undefined ? "missing" : "read";
  } catch (error) {
    // Too long to be read: the disk or bucket has answered.
    return error instanceof Failure && error.code === "stored_damaged" ? "read" : "failed";
  }
};

const isListed = async (objects: Pick<Objects, "list">): Promise<boolean> => {
  try {
    for await (const _ of objects.list()) return true;
    return true;
  } catch {
    return false;
  }
};

/**
 * Seven places in the order of tenant and id: four over the ids of the same tenant, since one folder may be
 * damaged, and the ends, since one tenant's may.
 */
const placesBeside = (name: ObjectName | undefined): readonly (ObjectName | undefined)[] => {
  if (name === undefined) return [undefined];
  const { tenantId } = name;
  const spread = ["1", "5", "9", "d"].map((digit) => ({ tenantId, id: idAt(digit) }));
  return [name, ...spread, { tenantId, id: idAt("f") }, undefined];
};

const idAt = (digit: string): string => [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join("-");

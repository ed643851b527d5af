import { isObjectName, type ObjectName } from "#machine/storage/objects";
import { headFileName } from "#record/transactions/head-file";
import { storeFile } from "./storage-errors.ts";

/** The name of a stored object in a backup. */
export const nameOfObject = ({ tenantId, id }: ObjectName): string => `blobs/${tenantId}/${id}`;

/** Where a file of a backup belongs. */
export type BackupPlace =
  | { readonly kind: "store" }
  | { readonly kind: "object"; readonly name: ObjectName }
  /** `path` has no part that leads out of the data directory. */
  | { readonly kind: "file"; readonly path: string };

/**
 * The place of a file by its name; undefined for a name that no backup has. Names are not trusted: the public
 * key is enough to make a backup.
 */
export const findPlace = (name: string): BackupPlace | undefined => {
  if (name === storeFile) return { kind: "store" };
  if (name === headFileName || /^models\/[A-Za-z0-9][A-Za-z0-9._-]{0,200}$/.test(name)) {
    return { kind: "file", path: name };
  }
  const [folder, tenantId = "", id = "", ...others] = name.split("/");
  const object = { tenantId, id };
  const isObject = folder === "blobs" && others.length === 0 && isObjectName(object);
  return isObject ? { kind: "object", name: object } : undefined;
};

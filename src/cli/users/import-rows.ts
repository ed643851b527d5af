import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { makeCheck } from "#contract/make-check";
import type { CsvRow } from "#contract/tabular/csv";
import { userIdLengths, userId as userIdSchema } from "#contract/user-id";
import type { ImportAnswer, ImportRefusal } from "#features/users/import-user";

/** Why a row establishes no user. */
export type RowRefusal =
  | ImportRefusal
  | "row-incomplete"
  | "user-id-wrong"
  | "image-missing"
  | "image-too-large";

/** The words of each reason, for the operator. */
export const reasonTexts: Readonly<Record<RowRefusal, string>> = {
  "row-incomplete": "has not the two cells userId and image",
  "user-id-wrong": `has a userId of fewer than ${userIdLengths.minLength} or more than ${userIdLengths.maxLength} characters`,
  "image-missing": "names an image that cannot be read",
  "image-too-large": "names an image with more bytes than IDEM_IMAGE_BYTES_MAX",
  "image-unreadable": "names a file that is no readable JPEG, PNG, WebP or AVIF",
  "no-usable-face":
    "names an image without a face that can be recognised: too small, too blurred, not frontal, or none",
  "several-faces": "names an image with several faces",
  "not-measured": "names an image that the engine could not measure",
  "face-registered": "names a face that is registered under another userId",
  "face-blocked": "names a face on the block list",
};

export type RowAnswer =
  | Exclude<ImportAnswer, { readonly kind: "refused" }>
  | { readonly kind: "refused"; readonly reason: RowRefusal };

export type ImportCounts = {
  readonly established: number;
  readonly registered: number;
  readonly refused: number;
};

type Deps = {
  readonly establish: (userId: string, image: Uint8Array) => Promise<ImportAnswer>;
  /** Folder of the images' relative paths. */
  readonly root: string;
  readonly imageBytesMax: number;
  /** How many rows are in work at once. Only their images are in memory. */
  readonly width: number;
  readonly onRefused: (line: number, reason: RowRefusal) => void;
  readonly onProgress: (counts: ImportCounts) => void;
};

/**
 * Establishes the user of each row. Rejects with the first failure that no row caused, after the rows in work
 * are done, so that the caller may then close the store.
 */
export const importRows = async (rows: AsyncGenerator<CsvRow>, deps: Deps): Promise<ImportCounts> => {
  let counts: ImportCounts = { established: 0, registered: 0, refused: 0 };
  const work = async (): Promise<void> => {
    for await (const row of rows) {
      const answer = await importRow(row, deps);
      counts = { ...counts, [answer.kind]: counts[answer.kind] + 1 };
      if (answer.kind === "refused") deps.onRefused(row.line, answer.reason);
      deps.onProgress(counts);
    }
  };
  const failures: unknown[] = [];
  const keep = (cause: unknown): void => void failures.push(cause);
  await Promise.all(Array.from({ length: Math.max(1, deps.width) }, () => work().catch(keep)));
  if (failures.length > 0) throw failures[0];
  return counts;
};

const userIdShape = makeCheck(userIdSchema);

const refused = (reason: RowRefusal): RowAnswer => ({ kind: "refused", reason });

const importRow = async ({ cells }: CsvRow, deps: Deps): Promise<RowAnswer> => {
  const [userId = "", path = "", ...others] = cells;
  if (path === "" || others.length > 0) return refused("row-incomplete");
  if (!userIdShape.Check(userId)) return refused("user-id-wrong");
  const image = await readImage(resolve(deps.root, path), deps.imageBytesMax);
  return typeof image === "string" ? refused(image) : await deps.establish(userId, image);
};

/** Reads no more bytes than an image may have. The list names the file, so it may be any file. */
const readImage = async (
  path: string,
  bytesMax: number,
): Promise<Uint8Array | "image-missing" | "image-too-large"> => {
  const handle = await open(path, "r").catch(() => undefined);
  if (handle === undefined) return "image-missing";
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) return "image-missing";
    if (stat.size > bytesMax) return "image-too-large";
    return new Uint8Array(await handle.readFile());
  } catch {
    return "image-missing";
  } finally {
    await handle.close();
  }
};

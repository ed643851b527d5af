import { isDeepStrictEqual } from "node:util";
import type { RegistryOwner, RegistryPersonRow } from "../store/registry-person.ts";
import type { RegistryPersonCommands } from "../store/registry-person-store.ts";
import type { PersonKeys } from "./person-keys.ts";
import {
  type PersonFault,
  type PersonRow,
  type ReadCanonicalNumber,
  type RefusedRow,
  readPerson,
} from "./read-person.ts";

/** A row of the list: its cells by column, or undefined for any other line. */
export type ListedPerson = {
  readonly line: number;
  readonly cells: Readonly<Record<string, unknown>> | undefined;
};

export type ImportCounts = {
  readonly added: number;
  readonly changed: number;
  /** Held already with the same content. */
  readonly unchanged: number;
  /** Replaced by a later row with the same number, of the same few hundred rows. */
  readonly repeated: number;
  readonly refused: number;
};

export type ImportDeps = {
  readonly store: Pick<RegistryPersonCommands, "listRegistryContents" | "putRegistryPersons">;
  readonly keys: PersonKeys;
  readonly readNumber: ReadCanonicalNumber;
  /** The bytes of the file of a photo, or why there are none. */
  readonly readPhoto: (name: string) => Promise<Uint8Array | PersonFault>;
  /** The photo as it is kept: decoded, and scaled where it is larger. */
  readonly preparePhoto: (bytes: Uint8Array) => Promise<Uint8Array | PersonFault>;
  /** Photos in work at once. */
  readonly width: number;
  readonly clock: () => Date;
  readonly onRefused: (line: number, refused: RefusedRow) => void;
  /** A row of the same few hundred has the same number and other content, and replaces the row of `line`. */
  readonly onReplaced: (line: number, byLine: number) => void;
  readonly onProgress: (counts: ImportCounts) => void;
};

/** Rows of one transaction: it takes a few milliseconds without photos, and holds few megabytes with them. */
const batchRows = 250;

/**
 * Bytes after which a transaction ends: a thread copies them in a few milliseconds on their way to the store,
 * which may be that of a running service.
 */
const batchBytes = 1024 * 1024;

const noCounts: ImportCounts = { added: 0, changed: 0, unchanged: 0, repeated: 0, refused: 0 };

/**
 * Writes the persons of a list into the registry. A person that is held with the same content is left, so
 * that an import which was interrupted goes on where it is run again. Holds one batch in memory.
 */
export const importPersons = async (
  rows: AsyncIterable<ListedPerson>,
  owner: RegistryOwner,
  deps: ImportDeps,
): Promise<ImportCounts> => {
  let counts = noCounts;
  for await (const batch of inBatches(rows)) {
    const done = await importBatch(batch, owner, deps);
    counts = {
      added: counts.added + done.added,
      changed: counts.changed + done.changed,
      unchanged: counts.unchanged + done.unchanged,
      repeated: counts.repeated + done.repeated,
      refused: counts.refused + done.refused,
    };
    deps.onProgress(counts);
  }
  return counts;
};

async function* inBatches(rows: AsyncIterable<ListedPerson>): AsyncGenerator<readonly ListedPerson[]> {
  let batch: ListedPerson[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Read = { readonly line: number; readonly hash: string; readonly person: PersonRow };

const importBatch = async (
  batch: readonly ListedPerson[],
  owner: RegistryOwner,
  deps: ImportDeps,
): Promise<ImportCounts> => {
  const read = await readBatch(batch, owner, deps);
  const last = lastOfEach(read, deps.onReplaced);
  const held = new Map(
    last.length === 0
      ? []
      : (
          await deps.store.listRegistryContents(
            owner,
            last.map(({ hash }) => hash),
          )
        ).map(({ hash, content }) => [hash, content] as const),
  );
  const settled = await mapWide(last, deps.width, (one) => settle(one, held.get(one.hash), owner, deps));
  const written = settled.filter((one) => typeof one === "object");
  for (const some of inTransactions(written)) {
    await deps.store.putRegistryPersons(owner, some, deps.clock());
  }
  const changed = written.filter(({ hash }) => held.has(hash)).length;
  const unchanged = settled.filter((one) => one === "unchanged").length;
  return {
    added: written.length - changed,
    changed,
    unchanged,
    repeated: read.length - last.length,
    refused: batch.length - read.length + last.length - written.length - unchanged,
  };
};

/**
 * Rows of one transaction, so that none holds more than a few photos beyond the bound. Rows without photos
 * stand in one.
 */
const inTransactions = (rows: readonly RegistryPersonRow[]): readonly (readonly RegistryPersonRow[])[] => {
  const parts: RegistryPersonRow[][] = [[]];
  let bytes = 0;
  for (const row of rows) {
    if (bytes > batchBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(row);
    bytes += row.sealed.length + (row.sealedPhoto?.length ?? 0);
  }
  return parts;
};

/** The last row of each number. A row that differs from the row that replaces it is reported. */
const lastOfEach = (read: readonly Read[], onReplaced: ImportDeps["onReplaced"]): readonly Read[] => {
  const last = new Map<string, Read>();
  for (const one of read) {
    const former = last.get(one.hash);
    if (former !== undefined && !isDeepStrictEqual(former.person, one.person))
      onReplaced(former.line, one.line);
    last.set(one.hash, one);
  }
  return [...last.values()];
};

/** The rows that state a person; the others are reported. */
const readBatch = async (
  batch: readonly ListedPerson[],
  owner: RegistryOwner,
  { keys, readNumber, clock, onRefused }: ImportDeps,
): Promise<readonly Read[]> => {
  const read: Read[] = [];
  for (const { line, cells } of batch) {
    const person =
      cells === undefined ? { fault: "line-unreadable" as const } : readPerson(cells, readNumber, clock());
    if ("fault" in person) onRefused(line, person);
    else read.push({ line, person, hash: await keys.hashOf(owner, person.documentNumber) });
  }
  return read;
};

/** The row to write; the photo is decoded only where it is new. */
const settle = async (
  { line, hash, person: { documentNumber, fields, photo: name } }: Read,
  held: string | undefined,
  owner: RegistryOwner,
  { keys, readPhoto, preparePhoto, onRefused }: ImportDeps,
): Promise<RegistryPersonRow | "unchanged" | "refused"> => {
  const refuse = (fault: PersonFault): "refused" => {
    onRefused(line, { fault, column: "photo" });
    return "refused";
  };
  const original = name === undefined ? undefined : await readPhoto(name);
  if (typeof original === "string") return refuse(original);
  const content = await keys.contentOf(owner, documentNumber, fields, original);
  if (content === held) return "unchanged";
  const photo = original && (await preparePhoto(original));
  if (typeof photo === "string") return refuse(photo);
  const sealed = await keys.seal(owner, hash, { fields, ...(photo && { photo }) });
  return { hash, content, ...sealed };
};

/**
 * Runs `work` on every item, `width` at a time, in the order of the items. Rejects when all that began have
 * ended.
 */
const mapWide = async <Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  const entries = items.entries();
  const lanes = Array.from({ length: Math.max(1, width) }, async () => {
    for (const [at, item] of entries) results[at] = await work(item);
  });
  const ended = await Promise.allSettled(lanes);
  const failed = ended.find((lane) => lane.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results;
};

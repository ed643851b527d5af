import type { BlobCommands, StatedObject } from "#machine/storage/blob-store";
import type { Keyring } from "#machine/storage/blobs";
import type { CheckedRow, CheckedTable, DatabaseCheck } from "#machine/storage/database-check";
import { faultWords, judgeObject, type ObjectFault, sha256Of } from "#machine/storage/judge-object";
import type { ObjectName, Objects } from "#machine/storage/objects";
import { givesOthers, readObject } from "#machine/storage/read-object";
import { opensAs } from "#machine/storage/scrub";
import { snakeOf } from "#machine/storage/table";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { tables } from "../tables.ts";
import type { Repairs } from "./repairs.ts";
import { textOf } from "./sealed-columns.ts";
import { type CheckSink, reasonOf, type StoreCheck } from "./store-check.ts";

export type BlobDeps = {
  readonly database: DatabaseCheck;
  readonly store: Pick<BlobCommands, "listBlobs" | "findBlob" | "knownBlobIds"> &
    Pick<TenantCommands, "listTenants"> & { readonly countBlobs: () => Promise<number> };
  readonly objects: Pick<Objects, "read" | "list">;
  readonly repairs: Repairs;
  /** Opens objects of rows without a hash; absent without a master key. */
  readonly keyring?: Pick<Keyring, "open">;
};

/** Every stored object against its row, rows that name no blob row, and objects without a row. */
export const checkBlobs = (deps: BlobDeps): StoreCheck => ({
  part: "blobs",
  run: async (sink) => {
    const total = await deps.store.countBlobs();
    let done = 0;
    let unhashed = 0;
    const faulty: StatedObject[] = [];
    for (let last: StatedObject | undefined; ; ) {
      const page = await deps.store.listBlobs(last, pageMax);
      for (const row of page) {
        sink.checked();
        unhashed += row.sha256 === undefined ? 1 : 0;
        if ((await judgeRow(deps, row)) !== undefined) faulty.push(row);
        done += 1;
        sink.progress(done, Math.max(total, done));
      }
      last = page.at(-1);
      if (last === undefined) break;
    }
    for (const row of faulty) await nameFault(deps, row, sink);
    if (unhashed > 0) sink.remark(unhashedWords(unhashed, deps.keyring !== undefined));
    await checkNamed(deps, sink);
    await checkOrphans(deps, sink);
  },
});

const pageMax = 200;

const unhashedWords = (count: number, isOpened: boolean): string =>
  isOpened
    ? `${count} rows of an earlier release have no hash yet: their objects were opened instead. The scrub of the service completes them.`
    : `${count} rows of an earlier release have no hash yet, and IDEM_MASTER_KEY is not set: of their objects the length alone was compared.`;

type Found = ObjectFault | "unopened" | "row";

const words: Readonly<Record<Found, string>> = {
  ...faultWords,
  unopened: "does not open: its bytes were changed",
  row: "is whole, and its row states another length or hash: the row was changed",
};

const judgeRow = async (
  { objects, keyring, store: { listBlobs } }: BlobDeps,
  row: StatedObject,
): Promise<Found | undefined> => {
  const object = await readObject({ objects, listBlobs }, row);
  const fault = await judgeObject(row, object);
  if (!(object instanceof Uint8Array) || keyring === undefined) return fault;
  // A whole seal under its own name shows that the object is the one that was stored.
  if (fault === "length" || fault === "changed") {
    return (await opensAs(keyring, row, object)) === "whole" ? "row" : fault;
  }
  if (fault !== undefined || row.sha256 !== undefined) return fault;
  return (await opensAs(keyring, row, object)) === "damaged" ? "unopened" : undefined;
};

/** A second look, after which a blob that was removed meanwhile is no fault. */
const nameFault = async (deps: BlobDeps, before: StatedObject, sink: CheckSink): Promise<void> => {
  const row = await deps.store.findBlob(before);
  if (row === undefined) return;
  const found = await judgeRow(deps, row);
  if (found === undefined) return;
  const other = found === "changed" || found === "length" ? await findSwapped(deps, row) : undefined;
  sink.fault({
    tenant: row.tenantId,
    place: `blobs/${row.tenantId}/${row.id}`,
    fault: other === undefined ? words[found] : `holds the object of blob ${other}`,
    repair: found === "row" ? deps.repairs.database : deps.repairs.blob,
  });
};

/** The blob whose object stands in the place of another, of the same tenant. */
const findSwapped = async (
  { database, objects }: BlobDeps,
  { tenantId, id }: StatedObject,
): Promise<string | undefined> => {
  const object = await objects.read({ tenantId, id }).catch(() => undefined);
  const table = (await database.tables()).find(({ name }) => name === "blobs");
  if (object === undefined || table === undefined) return undefined;
  const found = await sha256Of(object);
  for await (const row of database.rows(table, ["sha256"])) {
    if (textOf(row, "sha256") === found) return textOf(row, "id");
  }
  return undefined;
};

/** Tables that name blobs in a list of ids with commas, which no foreign key covers. */
const lists: readonly string[] = tables
  .filter(({ columns }) => "blobIds" in columns)
  .map(({ name }) => snakeOf(name));

/** Names rows whose blobs have no row. */
const checkNamed = async (deps: BlobDeps, sink: CheckSink): Promise<void> => {
  const naming = (await deps.database.tables()).filter(({ name }) => lists.includes(name));
  for (const table of naming) {
    const first = await listUnnamed(deps, table);
    // A change between the row and its blobs is no fault: what is one is still there.
    const again = first.size === 0 ? first : await listUnnamed(deps, table);
    for (const [place, tenant] of again) {
      if (!first.has(place)) continue;
      sink.fault({
        tenant,
        place,
        fault: "names a blob that the store has no row of",
        repair: deps.repairs.database,
      });
    }
  }
};

const listUnnamed = async (
  { database, store }: BlobDeps,
  table: CheckedTable,
): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>();
  for await (const row of database.rows(table, ["blob_ids"])) {
    const ids = idsOf(row);
    if (ids.length === 0) continue;
    const tenantId = textOf(row, "tenant_id");
    const known = new Set(await store.knownBlobIds(tenantId, ids));
    for (const id of ids.filter((one) => !known.has(one))) {
      found.set(`${table.name} ${textOf(row, "id")}, blob ${id.slice(0, 64)}`, tenantId);
    }
  }
  return found;
};

const idsOf = (row: CheckedRow): readonly string[] =>
  textOf(row, "blob_ids")
    .split(",")
    .filter((id) => id !== "");

const orphanPage = 500;

/**
 * Names objects without a row. Of a tenant of the store they are no damage: a call that died left them, and
 * the tidying removes them.
 */
const checkOrphans = async (deps: BlobDeps, sink: CheckSink): Promise<void> => {
  const tenants = new Set((await deps.store.listTenants()).map(({ id }) => id));
  const waiting = new Map<string, string[]>();
  for await (const { tenantId, id } of listedObjects(deps, sink)) {
    if (!tenants.has(tenantId)) {
      sink.fault({
        tenant: tenantId,
        place: `blobs/${tenantId}/${id}`,
        fault: "is an object of a tenant that the store does not have",
        repair: "Find out which store it belongs to (IDEM_DATA, IDEM_S3_PREFIX). Idem never removes it.",
      });
      continue;
    }
    const ids = [...(waiting.get(tenantId) ?? []), id];
    waiting.set(tenantId, ids);
    if (ids.length >= orphanPage) await settle(deps, { tenantId, ids }, waiting, sink);
  }
  for (const [tenantId, ids] of waiting) await settle(deps, { tenantId, ids }, waiting, sink);
};

/** The objects as far as they can be listed. What cannot be listed is a fault, unless nothing can be read. */
async function* listedObjects({ objects, store }: BlobDeps, sink: CheckSink): AsyncGenerator<ObjectName> {
  try {
    yield* objects.list();
  } catch (error) {
    const isThere = await givesOthers({ objects, listBlobs: store.listBlobs }, undefined);
    if (!isThere) throw error;
    sink.fault({
      place: "blobs",
      fault: `cannot be listed as a whole: ${reasonOf(error)}. Objects without a row were not looked for there`,
      repair: "Repair the disk, or give this user the right to read the folder. Objects: idem store repair.",
    });
  }
}

const settle = async (
  { store }: BlobDeps,
  { tenantId, ids }: { readonly tenantId: string; readonly ids: readonly string[] },
  waiting: Map<string, string[]>,
  sink: CheckSink,
): Promise<void> => {
  waiting.delete(tenantId);
  const known = new Set(await store.knownBlobIds(tenantId, ids));
  const orphans: readonly ObjectName[] = ids.filter((id) => !known.has(id)).map((id) => ({ tenantId, id }));
  for (const { id } of orphans) {
    sink.remark(
      `blobs/${tenantId}/${id} has no row: a call that was refused or cut off left it. The tidying of the service removes it.`,
    );
  }
};

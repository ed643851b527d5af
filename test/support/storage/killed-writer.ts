import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { openSqliteStore } from "#app/store";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { chainStart } from "#record/transactions/evidence";

/**
 * A write whose answer reached the caller before the process died: a call with its events (`written`, the
 * second name is its object), or the end of a delivery (`delivered`, of its destination and event).
 */
export type Acknowledged = {
  readonly kind: "written" | "delivered";
  readonly tenantId: string;
  readonly id: string;
  readonly second: string;
};

const program = new URL("./write-until-killed.ts", import.meta.url).pathname;

/**
 * Writes into a folder for `ms` milliseconds after the first answer, calls `end`, and kills the writer with
 * SIGKILL.
 */
export const writeUntilKilled = async (
  folder: string,
  ms: number,
  end: () => void = () => undefined,
): Promise<readonly Acknowledged[]> => {
  const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const closed = once(child, "close");
  try {
    const died = closed.then(() => {
      throw new Error("The writer ended before its first write");
    });
    await Promise.race([once(child.stdout, "data"), died]);
    await setTimeout(ms);
    end();
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
  // Only complete lines were acknowledged; the last piece is empty or cut.
  return output
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [kind, tenantId = "", id = "", second = ""] = line.split(" ");
      return { kind: kind === "delivered" ? "delivered" : "written", tenantId, id, second };
    });
};

/** The acknowledged writes that are missing after the folder is opened again; empty when nothing was lost. */
export const findLost = async (
  folder: string,
  writes: readonly Acknowledged[],
): Promise<readonly Acknowledged[]> => {
  const store = await openSqliteStore({ path: join(folder, "idem.sqlite") });
  const objects = makeDiskObjects(join(folder, "blobs"));
  const sqlite = new Database(join(folder, "idem.sqlite"), { readonly: true });
  const isKept = async ({ kind, tenantId, id, second }: Acknowledged): Promise<boolean> => {
    if (kind === "delivered") return isDelivered(sqlite, tenantId, id, second);
    const found = await Promise.all([
      store.findValidation(tenantId, id),
      store.findTransaction(tenantId, id),
      store.knownBlobIds(tenantId, [second]).then(([known]) => known),
    ]);
    const object = await objects.read({ tenantId, id: second });
    const hasRows = found.every((row) => row !== undefined) && object?.length === 200;
    return hasRows && countDeliveries(sqlite, tenantId, id) === 2;
  };
  const kept = await Promise.all(writes.map(isKept));
  sqlite.close();
  await store.close();
  return writes.filter((_, index) => kept[index] !== true);
};

/** Deliveries of the events of an operation: of operation_started and selfie_captured, to one destination. */
const countDeliveries = (sqlite: Database.Database, tenantId: string, operationId: string): unknown =>
  sqlite
    .prepare(
      `select count(*) from events e join deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
      where e.tenant_id = ? and e.operation_id = ?`,
    )
    .pluck()
    .get(tenantId, operationId);

const isDelivered = (sqlite: Database.Database, tenantId: string, destinationId: string, eventId: string) =>
  sqlite
    .prepare(
      `select count(*) from deliveries d join delivery_attempts a on a.tenant_id = d.tenant_id
      and a.destination_id = d.destination_id and a.event_id = d.event_id
      where d.state = 'delivered' and d.tenant_id = ? and d.destination_id = ? and d.event_id = ?`,
    )
    .pluck()
    .get(tenantId, destinationId, eventId) === 1;

/**
 * Checks that the file is sound, that no command was partly written, and that every tenant's chain is
 * complete.
 */
export const expectWhole = (folder: string): void => {
  const sqlite = new Database(join(folder, "idem.sqlite"), { readonly: true });
  const one = (statement: string): unknown => sqlite.prepare(statement).pluck().get();
  expect(one("pragma integrity_check")).toBe("ok");
  expect(sqlite.pragma("foreign_key_check")).toStrictEqual([]);
  const counts = [
    "transactions",
    "operations",
    "evidence",
    "evidence_bodies",
    "blobs",
    "validation_blobs",
  ].map((table) => one(`select count(*) from ${table}`));
  expect(new Set(counts)).toStrictEqual(new Set([one("select count(*) from validations")]));
  const broken = `select count(*) from (select prev_hash,
    lag(hash, 1, '${chainStart}') over (partition by tenant_id order by seq) as expected from evidence)
    where prev_hash <> expected`;
  expect(one(broken)).toBe(0);
  const events = one("select count(*) from events");
  expect(events).toBe(2 * Number(one("select count(*) from operations")));
  expect(one("select count(*) from deliveries")).toBe(events);
  const halfEnds = `select count(*) from deliveries d where (d.state = 'delivered') <> exists (select 1
    from delivery_attempts a where a.tenant_id = d.tenant_id and a.event_id = d.event_id)`;
  expect(one(halfEnds)).toBe(0);
  sqlite.close();
};

import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rightTables } from "#machine/storage/rights/declared-tables";
import { type Column, snakeOf } from "#machine/storage/table";
import { configOf, storeFileOf, useStore } from "#support/app/used-store";
import { copyDirectory, damage, damageKinds, drawFrom } from "../../../test/harness/damage.ts";
import { forgeRights } from "../../../test/harness/forge-rights.ts";
import { openRights } from "../rights.ts";
import { openPlaces, openStorage, type ReadyConfig } from "../storage.ts";
import { tables } from "../tables.ts";
import { verifyStore } from "./verify-store.ts";

/** Damages of each kind; LONG_TESTS=1 makes more. */
const each = process.env["LONG_TESTS"] === "1" ? 40 : 6;

const masterKey = new Uint8Array(randomBytes(32));
let home: string;
const place = (name: string): string => join(home, name);
const configIn = (name: string): ReadyConfig => configOf(place(name), masterKey);

const verify = async (config: ReadyConfig) => {
  const parts = await verifyStore(config, () => undefined);
  if (parts === undefined) throw new Error(`Nothing is stored in ${config.dataDirectory}`);
  return parts;
};

const faultsIn = async (name: string) => (await verify(configIn(name))).flatMap(({ faults }) => faults);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-damage-"));
  await useStore(configIn("whole"), 3);
});
afterAll(() => rm(home, { recursive: true, force: true }));

it("a store that was used is whole, and every part of it was checked", async () => {
  const parts = await verify(configIn("whole"));
  expect(parts.flatMap(({ faults }) => faults)).toStrictEqual([]);
  expect(parts.map(({ part }) => part)).toStrictEqual([
    "database",
    "sealed rows",
    "evidence",
    "rights",
    "blobs",
  ]);
  for (const { part, checked } of parts) expect(checked, part).toBeGreaterThan(10);
});

it.each([1, 2])(
  "another store that was used is whole, while it is open, and after %i more rounds",
  async (rounds) => {
    const name = `used-${rounds}`;
    const config = configIn(name);
    await useStore(config, rounds);
    const places = await openPlaces(config);
    await openRights(places.store, config, new Date());
    const { store, close } = openStorage(places, config);
    await store.createTenant({ id: "later", name: "later", createdAt: new Date() });
    expect(await faultsIn(name)).toStrictEqual([]);
    await close();
    expect(await faultsIn(name)).toStrictEqual([]);
  },
);

it("every blob of a used store has its hash", async () => {
  const sqlite = new Database(storeFileOf(place("whole")), { readonly: true });
  const count = sqlite.prepare("select count(*) from blobs").pluck().get();
  const hashed = sqlite.prepare("select count(*) from blobs where length(sha256) = 64").pluck().get();
  sqlite.close();
  expect(count).toBeGreaterThan(20);
  expect(hashed).toBe(count);
});

it.each(damageKinds)("each damage is named with its place and its repair: %s", async (kind) => {
  let made = 0;
  for (let seed = 1; made < each; seed++) {
    await copyDirectory(place("whole"), place("copy"));
    const words = await damage(place("copy"), kind, drawFrom(seed));
    if (words === undefined) continue;
    made += 1;
    const faults = await faultsIn("copy");
    expect(faults.length, `seed ${seed}: ${words}`).toBeGreaterThan(0);
    for (const { place: where, fault, repair } of faults) {
      expect(where).not.toBe("");
      expect(fault).not.toBe("");
      expect(repair).not.toBe("");
    }
    if (!kind.startsWith("blob")) continue;
    expect(faults, words).toHaveLength(1);
    const [id] = /[0-9a-f-]{36}/.exec(words.split("/").at(-1) ?? "") ?? [];
    expect(kind === "blob swapped" ? words : faults[0]?.place).toContain(id);
  }
});

it("names the blob whose object stands in the place of another", async () => {
  await copyDirectory(place("whole"), place("copy"));
  const words = (await damage(place("copy"), "blob swapped", drawFrom(3))) ?? "";
  const [file = "", other = ""] = words.split(" has the bytes of ").map((path) => path.split("/").at(-1));
  const [fault] = await faultsIn("copy");
  expect(fault?.place.endsWith(file)).toBe(true);
  expect(fault?.fault).toBe(`holds the object of blob ${other}`);
});

it("an object without a row is no damage, and one of an unknown tenant is", async () => {
  await copyDirectory(place("whole"), place("copy"));
  const [tenant = ""] = await readdir(place("copy/blobs"));
  const orphan = "11111111-1111-1111-1111-111111111111";
  const folder = place(`copy/blobs/${tenant}/11`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, orphan), "x");
  const parts = await verify(configIn("copy"));
  expect(parts.flatMap(({ faults }) => faults)).toStrictEqual([]);
  expect(parts.flatMap(({ remarks }) => remarks).join("\n")).toContain(orphan);
  await cp(place(`copy/blobs/${tenant}`), place("copy/blobs/no-such-tenant"), { recursive: true });
  expect(await faultsIn("copy")).toContainEqual(
    expect.objectContaining({ tenant: "no-such-tenant", part: "blobs" }),
  );
});

it("without a master key it says that sealed rows were not opened, and still sees the rest", async () => {
  const { masterKey: _, ...config } = configIn("whole");
  const parts = await verifyStore({ ...config, masterKey: undefined }, () => undefined);
  const remarks = parts?.flatMap((part) => part.remarks).join("\n");
  expect(remarks).toContain("IDEM_MASTER_KEY is not set");
  expect(parts?.flatMap(({ faults }) => faults)).toStrictEqual([]);
  const other = configOf(place("whole"), new Uint8Array(randomBytes(32)));
  const [fault] = (await verify(other)).flatMap(({ faults }) => faults);
  expect(fault?.fault).toContain("which the settings do not have");
});

it("a removed key of the seals is a fault, with a master key and without one", async () => {
  await copyDirectory(place("whole"), place("copy"));
  const sqlite = new Database(storeFileOf(place("copy")));
  sqlite.exec("delete from secrets where name = 'rights'");
  const isNamed = expect.objectContaining({ part: "rights", place: "secrets rights" });
  const { masterKey: _, ...keyless } = configIn("copy");
  const faultsWithout = async () =>
    (await verifyStore({ ...keyless, masterKey: undefined }, () => undefined))?.flatMap(
      ({ faults }) => faults,
    );
  expect(await faultsIn("copy")).toStrictEqual([isNamed]);
  expect(await faultsWithout()).toStrictEqual([isNamed]);
  // The marked token keys still show that there was one.
  for (const table of Object.keys(rightTables).filter((name) => name !== "evidence_heads")) {
    sqlite.exec(`update ${table} set seal = null`);
  }
  sqlite.exec("delete from evidence_heads");
  sqlite.close();
  expect(await faultsIn("copy")).toStrictEqual([isNamed]);
  expect(await faultsWithout()).toStrictEqual([]);
});

it("without a master key a right that was changed is named by its entries, and the report says what was not compared", async () => {
  await copyDirectory(place("whole"), place("copy"));
  const [row] = forgeRights(place("copy"), "scopes of an API key", drawFrom(1));
  const { masterKey: _, ...keyless } = configIn("copy");
  const parts = await verifyStore({ ...keyless, masterKey: undefined }, () => undefined);
  const part = parts?.find((one) => one.part === "rights");
  expect(part?.remarks.join()).toContain("IDEM_MASTER_KEY is not set");
  expect(part?.faults).toStrictEqual([
    expect.objectContaining({
      place: expect.stringMatching(`^api_keys .* ${row?.id}$`),
      fault: "has other scopes than its entry",
    }),
  ]);
});

it("every column of bytes is opened by a check, and every plain one has a second copy that is compared", () => {
  const sqlite = new Database(storeFileOf(place("whole")), { readonly: true });
  const rows = (statement: string, ...values: readonly string[]) =>
    sqlite.prepare<string[], Readonly<Record<string, string>>>(statement).all(...values);
  const known = tables.flatMap(({ name, columns }) =>
    Object.entries<Column>(columns)
      .filter(([, { seal, readBy }]) => seal !== undefined || readBy !== undefined)
      .map(([column]) => `${snakeOf(name)}.${snakeOf(column)}`),
  );
  // The chain hashes all of the evidence, and its end has a seal. The embedded store counts rates in memory.
  const exempt = ["evidence", "evidence_bodies", "evidence_anchors", "evidence_heads", "rate_buckets"];
  for (const { name = "" } of rows("select name from sqlite_schema where type = 'table'")) {
    const witness = rows("select sql from sqlite_schema where name = ?", `${name}_witness`)[0]?.["sql"] ?? "";
    for (const column of rows("select * from pragma_table_info(?)", name)) {
      const { name: columnName = "", type = "", pk } = column;
      const where = `${name}.${columnName}`;
      if (type === "BLOB") expect(known, where).toContain(where);
      else if (Number(pk) === 0 && !exempt.includes(name)) {
        const indexed = rows(
          "select info.name from pragma_index_list(?) as list, pragma_index_info(list.name) as info where list.partial = 0 and list.origin = 'c'",
          name,
        ).some((index) => index["name"] === columnName);
        expect(indexed || witness.includes(`+${columnName}`), where).toBe(true);
      }
    }
  }
  for (const one of known) expect(one.split(".")).toHaveLength(2);
  sqlite.close();
});

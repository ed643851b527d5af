import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { makeBackupKey } from "#machine/storage/backup/backup-key";
import { configOf, storeFileOf, useStore } from "#support/app/used-store";
import { copyDirectory, damage, drawFrom } from "../../../test/harness/damage.ts";
import { backup } from "../backup/backup.command.ts";
import { restore } from "../backup/restore.command.ts";
import { repairStoreCommand } from "./repair.command.ts";
import { verifyStoreCommand } from "./verify.command.ts";

const masterKey = new Uint8Array(randomBytes(32));
let home: string;
const place = (name: string): string => join(home, name);
let out: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-store-"));
  await useStore(configOf(place("whole"), masterKey), 1);
  const { publicPem, secretPem } = makeBackupKey();
  await writeFile(place("public.pem"), publicPem);
  await writeFile(place("secret.pem"), secretPem);
});
afterAll(() => rm(home, { recursive: true, force: true }));

beforeEach(async () => {
  vi.stubEnv("IDEM_DATA", place("copy"));
  vi.stubEnv("IDEM_MASTER_KEY", Buffer.from(masterKey).toString("base64"));
  out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  await copyDirectory(place("whole"), place("copy"));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const backUp = (name: string, ...more: readonly string[]) =>
  backup.run(["--out", place(name), "--recipient", place("public.pem"), "--json", ...more]);
const check = (name: string, ...more: readonly string[]) =>
  restore.run([place(name), "--key", place("secret.pem"), "--check", "--json", ...more]);
const repair = (name: string) =>
  repairStoreCommand.run(["--from", place(name), "--key", place("secret.pem"), "--json"]);
const verify = () => verifyStoreCommand.run(["--json"]);
const answer = () => JSON.parse(out.trim().split("\n").at(-1) ?? "");

/** A plain column of a random row, changed in the file: no page and no index is out of order. */
const flipPlain = async (): Promise<void> => {
  const file = storeFileOf(place("copy"));
  const bytes = await readFile(file);
  const at = bytes.indexOf("worker");
  bytes.write("W", at);
  await writeFile(file, bytes);
};

it("objects that were damaged in every way are whole again after a repair from a backup", async () => {
  expect(await backUp("whole.backup")).toBe(0);
  for (const [seed, kind] of (
    ["blob flipped", "blob emptied", "blob removed", "blob swapped"] as const
  ).entries()) {
    await damage(place("copy"), kind, drawFrom(seed + 1));
  }
  expect(await verify()).toBe(1);
  const { faultCount } = answer();
  expect(faultCount).toBeGreaterThanOrEqual(3);
  expect(await repair("whole.backup")).toBe(0);
  expect(answer()).toMatchObject({ notRepaired: [] });
  expect(answer().repaired).toHaveLength(faultCount);
  expect(await verify()).toBe(0);
  expect(await repair("whole.backup")).toBe(0);
  expect(answer()).toMatchObject({ repaired: [], notRepaired: [] });
});

it.each(["blob flipped", "blob emptied", "blob swapped", "blob cut"] as const)(
  "a backup refuses a store with one object damaged (%s), names it, and lists it on request",
  async (kind) => {
    await rm(place("refused.backup"), { force: true });
    const words = (await damage(place("copy"), kind, drawFrom(5))) ?? "";
    const [id = ""] =
      /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=[^/]*$|, byte| cut| emptied| has)/.exec(words) ?? [];
    await expect(backUp("refused.backup")).rejects.toThrow(id);
    expect((await readdir(home)).filter((name) => name.includes("refused"))).toStrictEqual([]);
    expect(await backUp("refused.backup", "--despite-damage", "--manifest", place("manifest"))).toBe(1);
    expect(answer()).toMatchObject({ damaged: 1, isDamaged: true, missing: 0 });
    expect(await readFile(place("manifest"), "utf8")).toMatch(
      /"type":"absent","name":"blobs\/.*","reason":"damaged"/,
    );
    expect(await check("refused.backup")).toBe(1);
    expect(answer()).toMatchObject({ damaged: 1 });
  },
);

/** Ids of the stored objects, in the order of their rows, with the places of their files. */
const objectsOf = (): readonly { readonly id: string; readonly path: string }[] => {
  const sqlite = new Database(storeFileOf(place("copy")), { readonly: true });
  const rows = sqlite.prepare<[], { id: string; tenant_id: string }>("select id, tenant_id from blobs").all();
  sqlite.close();
  return rows.map((row) => ({
    id: row.id,
    path: join(place("copy"), "blobs", row.tenant_id, row.id.slice(0, 2), row.id),
  }));
};

it("an object that cannot be read is named by verify and backup, left out on request, and repaired", async () => {
  expect(await backUp("readable.backup", "--force")).toBe(0);
  const [one, two] = objectsOf();
  for (const { path } of [one!, two!]) {
    await rm(path);
    await mkdir(path);
  }
  // What stands in the place of the second one may be of use.
  await writeFile(join(two!.path, "other"), "");
  expect(await verify()).toBe(1);
  const { parts, faultCount } = answer();
  expect(faultCount).toBe(2);
  expect(parts).toHaveLength(5);
  const blobs = parts.find(({ part }: { readonly part: string }) => part === "blobs");
  expect(blobs).toMatchObject({ checked: objectsOf().length });
  for (const { fault } of blobs.faults) expect(fault).toContain("cannot be read");
  await rm(place("unread.backup"), { force: true });
  await expect(backUp("unread.backup")).rejects.toThrow(`${one!.id}: cannot be read`);
  expect(await backUp("unread.backup", "--despite-damage")).toBe(1);
  expect(answer()).toMatchObject({ damaged: 2, isDamaged: true });
  expect(await repair("readable.backup")).toBe(1);
  expect(answer().repaired).toMatchObject([expect.stringContaining(one!.id)]);
  expect(answer().notRepaired).toMatchObject([expect.stringContaining(two!.id)]);
  await rm(two!.path, { recursive: true });
  expect(await repair("readable.backup")).toBe(0);
  expect(await verify()).toBe(0);
});

/** Another hash in an entry, as one who writes SQL changes it: the triggers that forbid it are as before. */
const changeEvidence = (): void => {
  const sqlite = new Database(storeFileOf(place("copy")));
  const triggers = sqlite
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'evidence'",
    )
    .all();
  for (const { name } of triggers) sqlite.exec(`drop trigger ${name}`);
  const { changes } = sqlite
    .prepare(
      "update evidence set hash = ? where seq = 2 and tenant_id = (select min(tenant_id) from evidence)",
    )
    .run("0".repeat(64));
  for (const { sql } of triggers) sqlite.exec(sql);
  sqlite.close();
  expect(changes).toBe(1);
};

it("a fault of the evidence refuses no backup: backup, manifest and restore state it", async () => {
  changeEvidence();
  expect(await backUp("evidence.backup", "--force", "--manifest", place("manifest"))).toBe(1);
  expect(answer()).toMatchObject({ isDamaged: false, damaged: 0, missing: 0 });
  const { lasting } = answer();
  expect(lasting).toBeGreaterThan(0);
  const stated = (await readFile(place("manifest"), "utf8")).match(/"type":"damage".*"lasting":true/g);
  expect(stated).toHaveLength(lasting);
  expect(await check("evidence.backup")).toBe(1);
  expect(answer().damage).toHaveLength(lasting);
  await rm(place("evidence"), { recursive: true, force: true });
  const to = ["--key", place("secret.pem"), "--to", place("evidence"), "--json"];
  expect(await restore.run([place("evidence.backup"), ...to])).toBe(1);
  vi.stubEnv("IDEM_DATA", place("evidence"));
  expect(await verify()).toBe(1);
  expect(answer().faultCount).toBe(lasting);
  // Beside damage that an earlier backup can repair it is refused as before.
  vi.stubEnv("IDEM_DATA", place("copy"));
  await flipPlain();
  await expect(backUp("evidence.backup", "--force")).rejects.toThrow("api_keys");
  expect(await backUp("evidence.backup", "--force", "--despite-damage")).toBe(1);
  expect(answer()).toMatchObject({ isDamaged: true, lasting });
  await expect(check("evidence.backup")).rejects.toThrow("api_keys");
});

it("a backup refuses a changed plain column, which SQLite's quick check does not see", async () => {
  await flipPlain();
  const sqlite = new Database(storeFileOf(place("copy")), { readonly: true });
  expect(sqlite.pragma("quick_check", { simple: true })).toBe("ok");
  sqlite.close();
  await rm(place("plain.backup"), { force: true });
  await expect(backUp("plain.backup")).rejects.toThrow("api_keys");
  expect(await backUp("plain.backup", "--despite-damage")).toBe(1);
  await expect(check("plain.backup")).rejects.toThrow("states");
  expect(await check("plain.backup", "--despite-damage")).toBe(1);
  expect(answer().damage[0].place).toContain("api_keys");
});

it("a restore check sees an object that differs from its row in the backup", async () => {
  // As an earlier release wrote it, which copied what was there.
  const { readEmbedded } = await import("#app/backup");
  const { writeArchive, readArchive } = await import("#machine/storage/backup/archive");
  const { readBackup, checkTarget } = await import("#app/restore");
  const entries = readEmbedded(configOf(place("copy"), masterKey), {
    copy: place("copied"),
    onCopy: () => undefined,
    onCheck: () => undefined,
    onRemark: () => undefined,
    onObjects: () => undefined,
    now: () => new Date(),
    despiteDamage: false,
  });
  let isFirst = true;
  async function* changed() {
    for await (const entry of entries) {
      if (entry.kind === "file" && entry.file.name.startsWith("blobs/") && isFirst) {
        isFirst = false;
        const pieces = [];
        for await (const piece of entry.file.content) pieces.push(Buffer.from(piece));
        const bytes = Buffer.concat(pieces);
        bytes[50]! ^= 1;
        yield { ...entry, file: { ...entry.file, content: one(bytes) } };
      } else yield entry;
    }
  }
  async function* one(bytes: Uint8Array) {
    yield bytes;
  }
  const plain: Uint8Array[] = [];
  for await (const piece of writeArchive(changed())) plain.push(piece);
  await rm(place("copied"), { force: true });
  async function* all() {
    yield* plain;
  }
  await expect(readArchive(all(), { statement: () => undefined, file: drain })).resolves.toBeDefined();
  await expect(
    readBackup(all(), checkTarget(place("checked")), {
      trust: { signers: [], takesUnsigned: true },
      onBytes: () => undefined,
    }),
  ).rejects.toThrow("with other bytes than its store states");
});

const drain = async ({ content }: { readonly content: AsyncIterable<Uint8Array> }): Promise<void> => {
  for await (const _ of content);
};

it("a repair takes nothing from a backup of another store, and nothing that its row does not state", async () => {
  await useStore(configOf(place("other"), masterKey), 1);
  vi.stubEnv("IDEM_DATA", place("other"));
  await backUp("other.backup");
  vi.stubEnv("IDEM_DATA", place("copy"));
  await damage(place("copy"), "blob removed", drawFrom(2));
  expect(await repair("other.backup")).toBe(0);
  expect(answer()).toMatchObject({ compared: 0, repaired: [] });
  expect(await verify()).toBe(1);
});

it("verify ends with 1 for a file that is no database, and for a file cut in half", async () => {
  const file = storeFileOf(place("copy"));
  const bytes = await readFile(file);
  await writeFile(file, bytes.subarray(0, Math.floor(bytes.length / 2 / 4096) * 4096));
  expect(await verify()).toBe(1);
  await writeFile(file, "no database at all".repeat(1000));
  expect(await verify()).toBe(1);
  expect(answer()).toMatchObject({ isWhole: false, parts: [{ faults: [{ place: file }] }] });
  expect((await stat(file)).size).toBe(18_000);
  await cp(place("whole"), place("copy"), { recursive: true, force: true });
});

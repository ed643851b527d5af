import { randomBytes, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openKeyAdmin } from "#app/keys";
import { openStore } from "#app/storage";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import { readConfig } from "#machine/config/config";
import { type Entry, readArchive, writeArchive } from "#machine/storage/backup/archive";
import { makeBackupKey, readPublicKey, readSecretKey } from "#machine/storage/backup/backup-key";
import { openStream, sealStream } from "#machine/storage/backup/envelope";
import { type BackupSigner, makeBackupSigner } from "#machine/storage/backup/signature";
import { verifyEvidenceCommand } from "../evidence/verify.command.ts";
import { runCommand } from "../run.ts";
import { backup } from "./backup.command.ts";
import { restore } from "./restore.command.ts";

let folder: string;
let printed: string[];
const place = (name: string): string => join(folder, name);
const forged = makeApiKey("live");
const masterKey = randomBytes(32);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-forged-"));
  vi.stubEnv("IDEM_DATA", place("data"));
  vi.stubEnv("IDEM_MASTER_KEY", masterKey.toString("base64"));
  printed = [];
  const take = (text: string | Uint8Array): boolean => printed.push(String(text)) > 0;
  vi.spyOn(process.stdout, "write").mockImplementation(take);
  vi.spyOn(process.stderr, "write").mockImplementation(take);
  const { store, close } = await openStore(readConfig());
  const tenantId = randomUUID();
  await store.createTenant({ id: tenantId, name: "bank", createdAt: new Date() });
  await openKeyAdmin(store).createApiKey({
    id: "own",
    tenantId,
    hash: hashApiKey(makeApiKey("live")),
    name: "own",
    environment: "live",
    scopes: ["face"],
    createdAt: new Date(),
  });
  await close();
  const pair = makeBackupKey();
  await writeFile(place("public.pem"), pair.publicPem);
  await writeFile(place("secret.pem"), pair.secretPem, { mode: 0o600 });
  expect(await backup.run(["--out", place("true.backup"), "--recipient", place("public.pem")])).toBe(0);
}, 60_000);
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

const addKey = (path: string): void => {
  const sqlite = new Database(path);
  sqlite
    .prepare(
      `insert into api_keys (tenant_id, id, hash, name, environment, scopes, created_at)
        select id, 'forged', ?, 'forged', 'live', '["face","document","token","user","review","key"]', 5 from tenants`,
    )
    .run(hashApiKey(forged));
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  sqlite.close();
};

/** As who has the public key and a copy of the store: a backup with one more key. */
const forge = async (signer?: Pick<BackupSigner, "sign">): Promise<void> => {
  const secret = readSecretKey(await readFile(place("secret.pem"), "utf8"), "secret.pem");
  const lines: Entry[] = [];
  await readArchive(openStream(secret, createReadStream(place("true.backup"))), {
    statement: (line) => void lines.push({ kind: "statement", line }),
    file: async ({ content }) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      await writeFile(place("forged.sqlite"), Buffer.concat(pieces));
    },
  });
  addKey(place("forged.sqlite"));
  const store = await readFile(place("forged.sqlite"));
  async function* entries(): AsyncGenerator<Entry> {
    yield* lines;
    async function* content(): AsyncGenerator<Uint8Array> {
      yield store;
    }
    yield { kind: "file", file: { name: "idem.sqlite", bytes: store.length, content: content() } };
  }
  const recipient = readPublicKey(await readFile(place("public.pem"), "utf8"), "public.pem");
  const sealed: Uint8Array[] = [];
  for await (const piece of sealStream(recipient, writeArchive(entries(), undefined, signer)))
    sealed.push(piece);
  await writeFile(place("forged.backup"), Buffer.concat(sealed));
};

const run = (...args: readonly string[]) =>
  restore.run([place(args[0] ?? ""), "--key", place("secret.pem"), ...args.slice(1)]);

it("a true backup is restored whole, and a forged one with an added key is not", {
  timeout: 120_000,
}, async () => {
  expect(await run("true.backup", "--check")).toBe(0);
  expect(await run("true.backup", "--to", place("true"))).toBe(0);
  vi.stubEnv("IDEM_DATA", place("true"));
  expect(await verifyEvidenceCommand.run([])).toBe(0);
  expect(await runCommand(["rights", "verify"])).toBe(0);

  await forge();
  await expect(run("forged.backup", "--check")).rejects.toThrow("has no signature");
  await expect(run("forged.backup", "--to", place("forged"))).rejects.toThrow("add --unsigned");
  expect(await readdir(place("forged"))).toEqual([]);
  await forge(makeBackupSigner(randomBytes(32)));
  await expect(run("forged.backup", "--check")).rejects.toThrow("foreign key");
  await expect(run("forged.backup", "--check", "--unsigned")).rejects.toThrow("foreign key");
});

it("a forged backup that an operator takes unsigned says so, and its key opens nothing", {
  timeout: 120_000,
}, async () => {
  await forge();
  expect(await run("forged.backup", "--to", place("forged"), "--unsigned")).toBe(0);
  expect(printed.join("")).toContain("WARNING: the backup has no signature");
  vi.stubEnv("IDEM_DATA", place("forged"));
  printed = [];
  expect(await verifyEvidenceCommand.run([])).toBe(1);
  expect(printed.join("")).toMatch(/api_keys \S+ forged: was added past the service/);
  printed = [];
  expect(await runCommand(["keys", "list"])).toBe(0);
  expect(printed.join("")).toMatch(/^forged .*forged$/m);
  expect(printed.join("")).toMatch(/^own .*active$/m);
  expect(await runCommand(["rights", "verify"])).toBe(1);
  const { store, close } = await openStore(readConfig());
  await expect(store.findApiKey(hashApiKey(forged))).rejects.toMatchObject({ code: "stored_damaged" });
  await close();
  // The way out that the commands name.
  expect(await runCommand(["keys", "revoke", "forged"])).toBe(0);
  expect(await runCommand(["rights", "verify"])).toBe(0);
  expect(await verifyEvidenceCommand.run([])).toBe(0);
});

it("a check of a forged backup names the rows, with the master key and without", {
  timeout: 120_000,
}, async () => {
  await forge();
  expect(await run("forged.backup", "--check", "--unsigned")).toBe(1);
  expect(printed.join("")).toMatch(/api_keys \S+ forged: was added past the service/);
  printed = [];
  expect(await run("forged.backup", "--check", "--unsigned", "--json")).toBe(1);
  expect(JSON.parse(printed.find((text) => text.startsWith("{")) ?? "").forged).toHaveLength(2);
  vi.stubEnv("IDEM_MASTER_KEY", undefined);
  printed = [];
  expect(await run("forged.backup", "--check", "--unsigned")).toBe(1);
  expect(printed.join("")).toContain("forged: has no entry");
  expect(printed.join("")).toContain("seals of rights were not compared");
});

it("no backup of a store with a forged key is made, unless on request, and that one states it", {
  timeout: 120_000,
}, async () => {
  addKey(place("data/idem.sqlite"));
  const args = ["--out", place("second.backup"), "--recipient", place("public.pem")];
  await expect(backup.run(args)).rejects.toThrow(/rights, api_keys \S+ forged: was added past the service/);
  expect((await readdir(folder)).filter((name) => name.startsWith("second"))).toEqual([]);
  expect(await backup.run([...args, "--despite-damage"])).toBe(1);
  await expect(run("second.backup", "--check")).rejects.toThrow("api_keys");
  expect(await run("second.backup", "--check", "--despite-damage")).toBe(1);
  // After the forged key was ended, a backup is whole again.
  expect(await runCommand(["keys", "revoke", "forged"])).toBe(0);
  expect(await backup.run([...args, "--force"])).toBe(0);
  expect(await run("second.backup", "--check")).toBe(0);
});

it("a backup of a former master key is taken by the name of its signer", { timeout: 120_000 }, async () => {
  const { key } = makeBackupSigner(masterKey);
  vi.stubEnv("IDEM_MASTER_KEY", randomBytes(32).toString("base64"));
  await expect(run("true.backup", "--check")).rejects.toThrow(`--signer ${key}`);
  expect(await run("true.backup", "--check", "--signer", key)).toBe(0);
  vi.stubEnv("IDEM_MASTER_KEY_PREVIOUS", masterKey.toString("base64"));
  expect(await run("true.backup", "--check")).toBe(0);
  vi.unstubAllEnvs();
  vi.stubEnv("IDEM_DATA", place("nowhere"));
  await expect(run("true.backup", "--check")).rejects.toThrow("no signer is known here");
  expect(await run("true.backup", "--check", "--signer", key)).toBe(0);
  await expect(run("true.backup", "--check", "--signer", "abc")).rejects.toThrow("64 hexadecimal digits");
});

import { execFile } from "node:child_process";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { readEmbedded } from "#app/backup";
import { readConfig } from "#machine/config/config";
import { type Entry, writeArchive } from "#machine/storage/backup/archive";
import { makeBackupKey, readPublicKey } from "#machine/storage/backup/backup-key";
import { sealStream } from "#machine/storage/backup/envelope";
import { masterKey } from "../../../test/upgrade/former-store.ts";
import { verifyStoreCommand } from "../store-check/verify.command.ts";
import { backup } from "./backup.command.ts";
import { restore } from "./restore.command.ts";

const fixtures = fileURLToPath(new URL("../../../test/upgrade/", import.meta.url));
const releases = (await readdir(fixtures))
  .filter((name) => name.endsWith(".tar.gz"))
  .map((name) => name.slice(0, -".tar.gz".length));

describe.each(releases)("the store of %s, before its migration", (release) => {
  let home: string;
  let out: string;
  let said: string;
  const place = (name: string): string => join(home, name);
  const keys = makeBackupKey();

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "idem-former-"));
    await mkdir(place("data"), { mode: 0o700 });
    await promisify(execFile)("tar", ["-xzf", join(fixtures, `${release}.tar.gz`), "-C", place("data")]);
    await writeFile(place("public.pem"), keys.publicPem);
    await writeFile(place("secret.pem"), keys.secretPem);
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
  beforeEach(() => {
    vi.stubEnv("IDEM_DATA", place("data"));
    vi.stubEnv("IDEM_MASTER_KEY", masterKey);
    [out, said] = ["", ""];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      out += String(text);
      return true;
    });
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      said += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  const answer = () => JSON.parse(out.trim().split("\n").at(-1) ?? "");
  const backUp = (name: string, ...more: readonly string[]) =>
    backup.run(["--out", place(name), "--recipient", place("public.pem"), "--json", ...more]);
  const restoring = (name: string, ...more: readonly string[]) =>
    restore.run([place(name), "--key", place("secret.pem"), "--json", ...more]);

  /** Every row of every table, and the version of the tables. */
  const contentOf = (data: string): string => {
    const sqlite = new Database(join(place(data), "idem.sqlite"), { readonly: true });
    const names = sqlite.prepare<[], string>("select name from sqlite_schema where type = 'table'").pluck();
    const rows = names.all().map((name) => [name, sqlite.prepare(`select * from "${name}"`).all()]);
    sqlite.close();
    return JSON.stringify(rows);
  };
  const objectsOf = async (data: string): Promise<readonly (readonly [string, string])[]> => {
    const folder = join(place(data), "blobs");
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => [name, parentPath]);
    return await Promise.all(
      files
        .toSorted((one, other) => one.join("/").localeCompare(other.join("/"), "en"))
        .map(
          async ([name = "", parent = ""]) =>
            [name, (await readFile(join(parent, name))).toString("hex")] as const,
        ),
    );
  };
  const expectSame = async (restored: string): Promise<void> => {
    expect(contentOf(restored)).toBe(contentOf("data"));
    expect(await objectsOf(restored)).toStrictEqual(await objectsOf("data"));
  };

  it("verify finds no fault, and says what it left out", async () => {
    expect(await verifyStoreCommand.run(["--json"])).toBe(0);
    const { faultCount, parts } = answer();
    expect(faultCount).toBe(0);
    expect(parts).toMatchObject([{ part: "database" }]);
    expect(parts[0].checked).toBeGreaterThan(10);
    expect(parts[0].remarks.join("\n")).toMatch(/earlier release.*migrations/);
  });

  it("is backed up by this release, signed, and restored as it was", async () => {
    expect(await backUp("before.backup", "--manifest", place("manifest"))).toBe(0);
    expect(answer()).toMatchObject({ isDamaged: false, missing: 0, damaged: 0 });
    expect(said).toMatch(/earlier release.*migrations/);
    expect(await readFile(place("manifest"), "utf8")).not.toContain('"type":"damage"');
    expect(await restoring("before.backup", "--check")).toBe(0);
    expect(answer()).toMatchObject({ damage: [], signer: expect.any(String) });
    expect(await restoring("before.backup", "--to", place("back"))).toBe(0);
    await expectSame("back");
  });

  it("is refused where the database is damaged, migrated or not", async () => {
    await promisify(execFile)("cp", ["-r", place("data"), place("damaged")]);
    const file = join(place("damaged"), "idem.sqlite");
    const sqlite = new Database(file);
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
    sqlite.close();
    const bytes = await readFile(file);
    bytes.fill(0, 4096 * 5, 4096 * 6);
    await writeFile(file, bytes);
    vi.stubEnv("IDEM_DATA", place("damaged"));
    await expect(backUp("refused.backup")).rejects.toThrow("The store is damaged");
    expect(await verifyStoreCommand.run(["--json"])).toBe(1);
  });

  it("restores from a backup of that release, of format 1 without a signature, on request alone", async () => {
    const deps = { copy: place("copied"), onCopy: () => undefined, onCheck: () => undefined };
    const entries = readEmbedded(readConfig(), {
      ...deps,
      onRemark: () => undefined,
      onObjects: () => undefined,
      now: () => new Date(),
      despiteDamage: false,
    });
    const pem = readPublicKey(keys.publicPem, "public.pem");
    const sealed = sealStream(pem, writeArchive(asFormer(entries, release)));
    await pipeline(sealed, createWriteStream(place("former.backup")));
    await expect(restoring("former.backup", "--check")).rejects.toThrow("--unsigned");
    expect(await restoring("former.backup", "--check", "--unsigned")).toBe(0);
    expect(answer()).toMatchObject({ release, damage: [], signer: null });
    expect(said).toContain("no signature");
    await expect(restoring("former.backup", "--to", place("refused"))).rejects.toThrow("--unsigned");
    expect(await restoring("former.backup", "--to", place("old"), "--unsigned")).toBe(0);
    await expectSame("old");
  });
});

/** The statements as the former release wrote them. */
async function* asFormer(entries: AsyncIterable<Entry>, release: string): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    yield entry.kind === "statement" && entry.line.type === "backup"
      ? { kind: "statement", line: { ...entry.line, format: 1, release } }
      : entry;
  }
}

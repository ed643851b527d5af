import { execFile } from "node:child_process";
import { mkdtemp, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openStore } from "#app/storage";
import { readConfig } from "#machine/config/config";
import { makeBackupKey } from "#machine/storage/backup/backup-key";
import { backup } from "./backup.command.ts";

let folder: string;
const place = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-backup-"));
  vi.stubEnv("IDEM_DATA", place("data"));
  vi.stubEnv("IDEM_MASTER_KEY", Buffer.alloc(32, "k7Q").toString("base64"));
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const { close } = await openStore(readConfig());
  await close();
  await writeFile(place("public.pem"), makeBackupKey().publicPem);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it("a backup takes the place of a former one on request alone", async () => {
  const out = place("one.backup");
  const run = (...more: readonly string[]) =>
    backup.run(["--out", out, "--recipient", place("public.pem"), ...more]);
  expect(await run()).toBe(0);
  const first = await readFile(out);
  await expect(run()).rejects.toThrow(`--out ${out} exists. Name another file, or replace it with --force.`);
  expect(await readFile(out)).toEqual(first);
  expect(await run("--force")).toBe(0);
  expect(await readFile(out)).not.toEqual(first);
});

it("a backup replaces no file that was made while it ran, except on request", async () => {
  const out = place("one.backup");
  // The command reads the key after its first look at --out: a pipe keeps it there.
  const pipe = place("key.pipe");
  await promisify(execFile)("mkfifo", [pipe]);
  const run = async (...more: readonly string[]) => {
    const running = backup.run(["--out", out, "--recipient", pipe, "--manifest", place("manifest"), ...more]);
    const writing = await open(pipe, "w");
    await writeFile(out, "another");
    await writing.writeFile(await readFile(place("public.pem")));
    await writing.close();
    return await running;
  };
  await expect(run()).rejects.toThrow(`--out ${out} exists. Name another file, or replace it with --force.`);
  expect(await readFile(out, "utf8")).toBe("another");
  expect((await readdir(folder)).toSorted()).toEqual(["data", "key.pipe", "one.backup", "public.pem"]);
  expect(await run("--force")).toBe(0);
  expect(await readFile(out, "utf8")).not.toBe("another");
});

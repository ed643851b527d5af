import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { describeBlobs } from "#support/storage/blobs-suite";
import { makeDiskObjects } from "./disk-objects.ts";
import type { Objects } from "./objects.ts";
import { readObject } from "./read-object.ts";

const idsOf = async (objects: Objects): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { id } of objects.list()) {
    ids.push(id);
  }
  return ids;
};

const newRoot = async (): Promise<string> => join(await mkdtemp(join(tmpdir(), "idem-objects-")), "blobs");

describeBlobs("blobs on disk", async () => makeDiskObjects(await newRoot()));

it("fails as an outage while the disk fails, and recovers with it", async () => {
  const root = await newRoot();
  await writeFile(root, "a file where the directory belongs");
  const objects = makeDiskObjects(root);
  const unavailable = { code: "store_unavailable", cause: expect.any(Error) };
  await expect(objects.ping()).rejects.toMatchObject(unavailable);
  await expect(objects.write({ tenantId: "t", id: randomUUID() }, new Uint8Array([1]))).rejects.toMatchObject(
    unavailable,
  );
  await rm(root);
  await objects.ping();
  expect(await readdir(root)).toStrictEqual([]);
});

it("lets only the owner read files and enter directories", async () => {
  const root = await newRoot();
  await makeDiskObjects(root).write({ tenantId: "t", id: randomUUID() }, new Uint8Array([1]));
  const modes = await Promise.all(
    (await readdir(root, { recursive: true })).map(
      async (name) => (await stat(join(root, name))).mode & 0o777,
    ),
  );
  expect(modes.sort((a, b) => a - b)).toStrictEqual([0o600, 0o700, 0o700]);
});

it("lists no file of another program", async () => {
  const root = await newRoot();
  const objects = makeDiskObjects(root);
  const name = { tenantId: "t", id: randomUUID() };
  await objects.write(name, new Uint8Array([1]));
  await writeFile(join(root, "t", name.id.slice(0, 2), "notes.txt"), "no object");
  await writeFile(join(root, "notes.txt"), "no directory");
  expect(await idsOf(objects)).toStrictEqual([name.id]);
});

it.each([
  ["a folder", (path: string) => mkdir(path)],
  ["a folder with content", (path: string) => mkdir(join(path, "x"), { recursive: true })],
  ["a pipe", (path: string) => promisify(execFile)("mkfifo", [path])],
  ["a link to itself", (path: string) => symlink(path, path)],
])("%s in the place of an object is unreadable alone, is not listed, and can be removed", async (_, make) => {
  const root = await newRoot();
  const objects = makeDiskObjects(root);
  const [one, two] = [randomUUID(), randomUUID()].map((id) => ({ tenantId: "t", id }));
  await objects.write(one!, new Uint8Array([1]));
  await objects.write(two!, new Uint8Array([2]));
  const path = join(root, "t", one!.id.slice(0, 2), one!.id);
  await rm(path);
  await make(path);
  const listBlobs = async () => [one!, two!];
  expect(await readObject({ objects, listBlobs }, one!)).toBe("unreadable");
  expect(await readObject({ objects, listBlobs }, two!)).toStrictEqual(new Uint8Array([2]));
  expect(await idsOf(objects)).toStrictEqual([two!.id]);
  await objects.remove(one!);
  expect(await readObject({ objects, listBlobs }, one!)).toBeUndefined();
  await objects.write(one!, new Uint8Array([3]));
  expect(await objects.read(one!)).toStrictEqual(new Uint8Array([3]));
});

it("an object is written in the place of an empty folder, and never in that of one with content", async () => {
  const objects = makeDiskObjects(await newRoot());
  const name = { tenantId: "t", id: randomUUID() };
  const root = await newRoot();
  const own = makeDiskObjects(root);
  const path = join(root, "t", name.id.slice(0, 2), name.id);
  await mkdir(path, { recursive: true });
  await own.write(name, new Uint8Array([1]));
  expect(await own.read(name)).toStrictEqual(new Uint8Array([1]));
  expect(await objects.read(name)).toBeUndefined();
  await rm(path);
  await mkdir(join(path, "kept"), { recursive: true });
  await expect(own.write(name, new Uint8Array([1]))).rejects.toMatchObject({ code: "store_unavailable" });
  expect(await readdir(path)).toStrictEqual(["kept"]);
});

it("lists an unfinished file for the sweeper after a crash, and never reads it", async () => {
  const root = await newRoot();
  const objects = makeDiskObjects(root);
  const name = { tenantId: "t", id: randomUUID() };
  await objects.write(name, new Uint8Array([1]));
  await objects.remove(name);
  await writeFile(join(root, "t", name.id.slice(0, 2), `${name.id}.part`), "half");
  expect(await objects.read(name)).toBeUndefined();
  expect(await idsOf(objects)).toStrictEqual([name.id]);
  await objects.remove(name);
  expect(await idsOf(objects)).toStrictEqual([]);
});

import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeBlobs } from "./blobs-suite.ts";
import { makeDiskObjects } from "./disk-objects.ts";
import type { Objects } from "./objects.ts";

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

import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKeptFiles } from "./kept-files.ts";

const bytes = new Uint8Array(100_000).map((_, at) => at % 251);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const ownMemory = (length: number) => new Uint8Array(length);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-kept-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("a kept file", () => {
  it("is found by its hash, in the memory that the caller gives, and leaves no part beside it", async () => {
    const kept = makeKeptFiles(join(folder, "new"));
    await kept.keep(sha256, bytes);
    const found = await kept.find(sha256, (length) => new Uint8Array(new SharedArrayBuffer(length)));
    expect(found?.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(Buffer.from(found!).equals(bytes)).toBe(true);
    expect(await readdir(join(folder, "new"))).toEqual([`${sha256}.onnx`]);
  });

  it.each([
    ["changed", bytes.with(50_000, 1)],
    ["cut off", bytes.subarray(0, 50_000)],
    ["empty", new Uint8Array()],
  ])("that was %s is not found, and is kept again", async (_, damaged) => {
    const kept = makeKeptFiles(folder);
    await writeFile(join(folder, `${sha256}.onnx`), damaged);
    expect(await kept.find(sha256, ownMemory)).toBeUndefined();
    await kept.keep(sha256, bytes);
    expect(await kept.find(sha256, ownMemory)).toHaveLength(bytes.length);
  });

  it("whose bytes have another hash than its name is not found", async () => {
    const kept = makeKeptFiles(folder);
    await kept.keep("0".repeat(64), bytes);
    expect(await kept.find("0".repeat(64), ownMemory)).toBeUndefined();
  });
});

it("a folder that cannot be written keeps nothing, and fails nothing", async () => {
  await writeFile(join(folder, "file"), "");
  const kept = makeKeptFiles(join(folder, "file", "below"));
  await kept.keep(sha256, bytes);
  expect(await kept.find(sha256, ownMemory)).toBeUndefined();
});

import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { manifestOf, openTestModels, smallNetwork } from "#support/models/small-models";
import { makeAcquire } from "./acquire.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-models-"));
});
afterEach(() => rm(folder, { recursive: true }));

const uuid = "0b0e4a1c-98f4-4d5e-9a53-0a3c8f1d2e77";
const [hash, unrecorded] = ["a".repeat(64), "b".repeat(64)];
const download = `partial/${unrecorded}.part`;
const recorded = [`${hash}.json`, `${hash}.onnx`];
const staleFiles = [
  `partial/${hash}.part`,
  `partial/${hash}.part.${uuid}`,
  `${hash}.json.${uuid}.new`,
  `selection.json.${uuid}.new`,
  `${unrecorded}.onnx`,
];

/**
 * Leaves these files in the folder, imports a refused file after `passedMs`, and returns the files that are
 * left.
 */
const leftAfter = async (names: readonly string[], passedMs: number): Promise<readonly string[]> => {
  await mkdir(join(folder, "partial"));
  for (const name of names) await writeFile(join(folder, name), "x");
  const imported = join(folder, "brought.onnx");
  await writeFile(imported, smallNetwork);
  const clock = () => new Date(Date.now() + passedMs);
  const { add } = makeAcquire({ ...openTestModels(folder), blocked: [], clock });
  const other = { ...manifestOf(smallNetwork), sha256: "c".repeat(64) };
  await expect(add(imported, other)).rejects.toThrow();
  const found = await readdir(folder, { recursive: true });
  return found.filter((name) => names.includes(name)).toSorted();
};

it("Files of killed commands are removed with the next import; installed models and other incomplete downloads stay", async () => {
  const stays = [...recorded, download].toSorted();
  expect(await leftAfter([...stays, ...staleFiles], 2 * 3_600_000)).toEqual(stays);
});

it("Files that another command may be writing stay", async () => {
  const all = [...recorded, download, ...staleFiles].toSorted();
  expect(await leftAfter(all, 10 * 60_000)).toEqual(all);
});

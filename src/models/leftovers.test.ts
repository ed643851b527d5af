import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeAcquire } from "./acquire.ts";
import { manifestOf, openTestModels, smallNetwork } from "./testing/small-models.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-models-"));
});
afterEach(() => rm(folder, { recursive: true }));

const uuid = "0b0e4a1c-98f4-4d5e-9a53-0a3c8f1d2e77";
const [hash, unrecorded] = ["a".repeat(64), "b".repeat(64)];
const download = `partial/${unrecorded}.part`;
const recorded = [`${hash}.json`, `${hash}.onnx`];
const leftovers = [
  `partial/${hash}.part`,
  `partial/${hash}.part.${uuid}`,
  `${hash}.json.${uuid}.new`,
  `selection.json.${uuid}.new`,
  `${unrecorded}.onnx`,
];

/** Leaves these files there, brings a file so much later, which is refused, and says what is there then. */
const leftAfter = async (names: readonly string[], passedMs: number): Promise<readonly string[]> => {
  await mkdir(join(folder, "partial"));
  for (const name of names) await writeFile(join(folder, name), "x");
  const brought = join(folder, "brought.onnx");
  await writeFile(brought, smallNetwork);
  const clock = () => new Date(Date.now() + passedMs);
  const { add } = makeAcquire({ ...openTestModels(folder), blocked: [], clock });
  const other = { ...manifestOf(smallNetwork), sha256: "c".repeat(64) };
  await expect(add(brought, other)).rejects.toThrow();
  const found = await readdir(folder, { recursive: true });
  return found.filter((name) => names.includes(name)).toSorted();
};

it("What killed commands left goes when the next model is taken; installed models and the cut download of another stay", async () => {
  const stays = [...recorded, download].toSorted();
  expect(await leftAfter([...stays, ...leftovers], 2 * 3_600_000)).toEqual(stays);
});

it("What another command may be writing at the moment stays", async () => {
  const all = [...recorded, download, ...leftovers].toSorted();
  expect(await leftAfter(all, 10 * 60_000)).toEqual(all);
});

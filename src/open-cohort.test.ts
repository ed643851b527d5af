import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { packCohort } from "./face/matching/cohort.ts";
import { readCohort as shippedCohort } from "./face/testing/pictures.ts";
import { readCohort } from "./open-cohort.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "idem-cohort-"));
});
afterAll(() => rm(folder, { recursive: true }));

const configOf = async (name: string, bytes?: Uint8Array) => {
  const file = path.join(folder, name);
  if (bytes !== undefined) await writeFile(file, bytes);
  return readConfig({ IDEM_FACE_COHORT: file });
};

it("reads the operator's cohort, and names it by its hash", async () => {
  const shipped = await readCohort(readConfig({}));
  const { hash, ...cohort } = shippedCohort();
  expect(shipped.hash).toBe(hash);
  const smaller = packCohort({ ...cohort, faces: cohort.faces.slice(0, 300) });
  const own = await readCohort(await configOf("own", smaller));
  expect(Buffer.from(own.bytes).equals(smaller)).toBe(true);
  expect(own.hash).not.toBe(shipped.hash);
});

it.each([
  ["no file", undefined, /cannot be read/],
  ["what is no cohort", Buffer.from("IDFC nothing"), /is no cohort/],
  [
    "a cohort of another recogniser",
    packCohort({ ...shippedCohort(), recogniser: "00".repeat(72) }),
    /another recogniser/,
  ],
])("refuses %s, naming the variable", async (name, bytes, reason) => {
  const reading = readCohort(await configOf(name, bytes));
  await expect(reading).rejects.toThrow(ConfigError);
  await expect(reading).rejects.toThrow(reason);
  await expect(reading).rejects.toThrow(/IDEM_FACE_COHORT/);
});

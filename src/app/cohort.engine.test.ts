import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packCohort } from "#judging/face/matching/cohort";
import { scaleIn } from "#judging/face/policy";
import { ConfigError, readConfig } from "#machine/config/config";
import { readCohort as shippedCohort } from "#support/face/images";
import { recogniserManifest } from "#support/models/small-models";
import { describeCohort, readOwnCohort, readShippedCohort } from "./cohort.ts";
import { readFacePolicy } from "./face-policy.ts";

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

const points = [
  { falseMatchRate: 0.1, value: 1.5 },
  { falseMatchRate: 0.01, value: 2.5 },
];

it("reads the operator's cohort with or without points, and names it by its hash", async () => {
  const { hash, ...shipped } = shippedCohort();
  expect((await readShippedCohort()).hash).toBe(hash);
  expect(await readOwnCohort(readConfig({}))).toBeUndefined();
  const smaller = { ...shipped, faces: shipped.faces.slice(0, 300) };
  const own = await readOwnCohort(await configOf("own", packCohort(smaller)));
  expect(own?.faces).toHaveLength(300);
  expect(own).not.toHaveProperty("points");
  const counted = await readOwnCohort(await configOf("counted", packCohort({ ...smaller, points })));
  expect(counted?.points).toStrictEqual(points);
  expect(new Set([hash, own?.hash, counted?.hash]).size).toBe(3);
});

it("becomes the policy's scale: the policy names it and takes its faces for cohort scores", async () => {
  const { hash: _, ...cohort } = shippedCohort();
  const policy = await readFacePolicy(await configOf("scale", packCohort({ ...cohort, points })), {});
  expect(policy.version).toMatch(/^face-\d+\+cohort\/[0-9a-f]{8}$/);
  expect(policy.comparison.scale?.points).toStrictEqual(points);
  const versions = [policy.version, `${policy.version}+unlicensed`, `${policy.version} people-1`];
  expect(new Set(versions.map(scaleIn))).toEqual(new Set([policy.comparison.scale?.name]));
  expect(scaleIn("face-6+fmr=1e-1/1e-2/1e-3+fitted-0123456789ab people-1")).toBe("face-6");
  expect(scaleIn("face-7 people-1")).toBe("face-7");
  expect(policy.comparison.scale?.faces).toHaveLength(cohort.faces.length);
});

it("names the cohort in force as the policy does, and none with an added recogniser", async () => {
  const { hash: _, ...cohort } = shippedCohort();
  const config = await configOf("named", packCohort(cohort));
  const { version, comparison } = await readFacePolicy(config, {});
  expect(describeCohort({}, undefined)).toBe("the bundled one");
  expect(version.endsWith(`+${describeCohort({}, comparison.scale)}`)).toBe(true);
  const added = { manifest: recogniserManifest, bytes: new Uint8Array() };
  const selected = { "face-recogniser": { active: [added], shadow: [] } };
  expect(describeCohort(selected, comparison.scale)).toBe("none, beside an added recogniser");
});

it.each([
  ["no file", undefined, /cannot be read/],
  [
    "a file that is no cohort",
    Buffer.from("IDFC nothing"),
    /is no usable cohort \(The file is not a face cohort/,
  ],
  [
    "a cohort whose scale does not rise",
    packCohort({ ...shippedCohort(), points: points.toReversed() }),
    /its values do not rise/,
  ],
  [
    "a cohort of another recogniser",
    packCohort({ ...shippedCohort(), recogniser: "00".repeat(72) }),
    /another recogniser/,
  ],
])("refuses %s, naming the variable", async (name, bytes, reason) => {
  const reading = readOwnCohort(await configOf(name, bytes));
  await expect(reading).rejects.toThrow(ConfigError);
  await expect(reading).rejects.toThrow(reason);
  await expect(reading).rejects.toThrow(/IDEM_FACE_COHORT/);
});

import { globSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { personaRecord } from "../../personas/document-readings.ts";
import { drawnRecord } from "../document/drawn-readings.ts";
import { sentRecord } from "../document/http/sent-documents.ts";
import { measuredRecord } from "../face/measured-images.ts";
import { hashOfSources, isRecord, sourcesOf } from "./measuring-sources.ts";
import { besideTest, type RecordPlace } from "./open-record.ts";
import { readRecording } from "./recorded-measurements.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Records of modules. Every other record stands beside its test. */
const ofModules: readonly RecordPlace[] = [drawnRecord, measuredRecord, personaRecord, sentRecord];

const placeOf = (path: string): RecordPlace => {
  const { href } = pathToFileURL(`${root}${path}`);
  const beside = () => besideTest(href.replace(/\.generated\.json$/, ".test.ts"));
  return ofModules.find(({ file }) => file.href === href) ?? beside();
};

const records = globSync("{src,test}/**/*.generated.json", { cwd: root })
  .filter(isRecord)
  .toSorted()
  .map((path) => [path, placeOf(path)] as const);

it("the records of all modules are found, and others", () => {
  expect(records.map(([, { file }]) => file.href)).toEqual(
    expect.arrayContaining(ofModules.map(({ file }) => file.href)),
  );
  expect(records.length).toBeGreaterThan(10 + ofModules.length);
});

describe.each(records)("%s", (_, { file, modules }) => {
  it("was made of its sources as they are now; if not, run `node scripts/record-readings.ts`", () => {
    expect(readRecording(file).sources).toBe(hashOfSources(modules));
  });

  it("follows from no record", () => {
    const sources = sourcesOf(modules.map((url) => relative(root, fileURLToPath(url))));
    expect([...sources].filter(isRecord)).toEqual([]);
  });
});

import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { type Case, makeCases } from "#sandbox/specimen/demo-cases";
import { readPersons } from "#sandbox/specimen/persons";
import { hashOfSources } from "../../networks/measuring-sources.ts";

/**
 * Beside the compiled modules: other workers and later runs find the images of the same sources and the same
 * day there.
 */
const folder = fileURLToPath(new URL("../../../../node_modules/.cache/idem-cases/", import.meta.url));

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

const writeCases = async (file: string, cases: readonly Case[]): Promise<void> => {
  const rows = cases.map((one) => ({ ...one, document: base64(one.document), selfie: base64(one.selfie) }));
  await mkdir(folder, { recursive: true });
  const others = (await readdir(folder)).filter(
    (name) => name.endsWith(".json") && join(folder, name) !== file,
  );
  for (const name of others) await rm(join(folder, name), { force: true });
  const part = `${file}.${process.pid}`;
  await writeFile(part, JSON.stringify(rows));
  await rename(part, file);
};

type Row = Omit<Case, "document" | "selfie"> & { readonly document: string; readonly selfie: string };

const readCases = async (file: string): Promise<readonly Case[] | undefined> => {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const rows: readonly Row[] = JSON.parse(text);
  return rows.map((row) => ({
    ...row,
    document: Buffer.from(row.document, "base64"),
    selfie: Buffer.from(row.selfie, "base64"),
  }));
};

const open = async (): Promise<readonly Case[]> => {
  const today = new Date();
  const sources = hashOfSources([
    new URL("../../../../src/sandbox/specimen/demo-cases.ts", import.meta.url).href,
  ]);
  const file = join(folder, `${sources}-${today.toISOString().slice(0, 10)}.json`);
  const kept = await readCases(file);
  if (kept !== undefined) return kept;
  const cases = await makeCases(makeImaging({ limits: defaultImagingLimits }), await readPersons(), today);
  await writeCases(file, cases);
  return cases;
};

let opened: Promise<readonly Case[]> | undefined;

/**
 * The demo's cases of today. They are drawn once for all test files: drawing them takes three seconds of a
 * processor.
 */
export const sharedCases = (): Promise<readonly Case[]> => {
  opened ??= open();
  return opened;
};

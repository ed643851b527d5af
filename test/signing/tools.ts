/** Programs of Debian that read PDF files and signatures: they share no code with this project. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Ran = { readonly code: number | null; readonly output: Buffer; readonly text: string };

/** Runs a program for at most a minute. `text` joins what it wrote to both of its outputs. */
export const run = (program: string, ...args: readonly string[]): Ran => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    timeout: 60_000,
    maxBuffer: 200_000_000,
  });
  if (error !== undefined) throw error;
  return { code: status, output: stdout, text: `${stdout.toString("latin1")}${stderr.toString("latin1")}` };
};

export type Folder = {
  readonly path: string;
  readonly write: (name: string, bytes: Uint8Array | string) => string;
};

/** A new folder for the files of one check. */
export const openFolder = (): Folder => {
  const path = mkdtempSync(join(tmpdir(), "idem-check-"));
  return {
    path,
    write: (name, bytes) => {
      writeFileSync(join(path, name), bytes);
      return join(path, name);
    },
  };
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The objects of a PDF as qpdf reads them. */
export type PdfObjects = {
  /** The value behind a reference, or the value itself; of a stream its dictionary. */
  readonly resolve: (value: unknown) => unknown;
  readonly entry: (dictionary: unknown, key: string) => unknown;
  readonly catalog: unknown;
  /** The decoded bytes of the streams of an array. */
  readonly streams: (array: unknown) => readonly Buffer[];
  readonly keys: (dictionary: unknown) => readonly string[];
};

export const readObjects = (pdf: string): PdfObjects => {
  const json: unknown = JSON.parse(run("qpdf", "--json=2", "--json-key=qpdf", pdf).output.toString("utf8"));
  const parts = isRecord(json) && Array.isArray(json["qpdf"]) ? json["qpdf"] : [];
  const objects: unknown = parts[1];
  const entry = (dictionary: unknown, key: string): unknown => {
    const value = resolve(dictionary);
    return isRecord(value) ? value[key] : undefined;
  };
  const resolve = (value: unknown): unknown => {
    if (typeof value !== "string" || !/^\d+ \d+ R$/.test(value) || !isRecord(objects)) return value;
    const found = objects[`obj:${value}`];
    if (!isRecord(found)) return undefined;
    return "stream" in found ? entry(found["stream"], "dict") : found["value"];
  };
  const trailer = isRecord(objects) ? entry(objects["trailer"], "value") : undefined;
  return {
    resolve,
    entry,
    catalog: resolve(entry(trailer, "/Root")),
    streams: (array) => {
      const list = resolve(array);
      return (Array.isArray(list) ? list : []).map(
        (one) =>
          run("qpdf", `--show-object=${String(one).split(" ")[0]}`, "--filtered-stream-data", pdf).output,
      );
    },
    keys: (dictionary) => Object.keys(resolve(dictionary) ?? {}),
  };
};

import { createHash } from "node:crypto";
import { open, readFile } from "node:fs/promises";
import type { OnnxFacts } from "#machine/networks/onnx-facts";
import type { TryNetwork } from "#machine/networks/trial";
import type { Blocked } from "./catalogue.ts";
import { findDanger, findMismatch, trialDims } from "./judge-fit.ts";
import type { Manifest } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";

/** Longest accepted file: the largest known model has 261 MB. */
const modelBytesMax = 1_000_000_000;

export type ExamineDeps = {
  readonly blocked: readonly Blocked[];
  readonly readFacts: (bytes: Uint8Array) => OnnxFacts;
  readonly tryNetwork: TryNetwork;
};

/** Examines a file before it is installed or used. Throws ModelRefused with the reason of a refusal. */
export type Examine = (path: string, manifest: Manifest) => Promise<void>;

export const makeExamine =
  ({ blocked, readFacts, tryNetwork }: ExamineDeps): Examine =>
  async (path, manifest) => {
    const refuse = (why: string, cause?: unknown): never => {
      throw new ModelRefused(`${manifest.name} is refused: ${why}`, { cause });
    };
    const bytes = await readFile(path);
    const hash = createHash("sha256").update(bytes).digest("hex");
    refuseBlocked(hash, blocked);
    if (hash !== manifest.sha256) {
      refuse(findImpostor(bytes) ?? `the file has SHA-256 ${hash}, its manifest says ${manifest.sha256}`);
    }
    const facts = attempt(
      () => readFacts(bytes),
      (cause) => refuse(findImpostor(bytes) ?? "the file is no ONNX network", cause),
    );
    const danger = findDanger(facts);
    if (danger !== undefined) refuse(danger);
    const { name: inputName } = manifest.input;
    const wish = { ...(inputName !== undefined && { inputName }), dims: trialDims(manifest) };
    const report = await tryNetwork(path, wish).catch((error: unknown) =>
      refuse(`it does not run as its manifest says: ${firstLine(error)}`, error),
    );
    const mismatch = findMismatch(manifest, report, facts.metadata);
    if (mismatch !== undefined) refuse(mismatch);
  };

const attempt = <Value>(work: () => Value, otherwise: (cause: unknown) => never): Value => {
  try {
    return work();
  } catch (error) {
    return otherwise(error);
  }
};

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n").slice(0, 3).join(" ").slice(0, 300);

/** Throws ModelRefused for a file whose terms forbid business use, under any name. */
export const refuseBlocked = (sha256: string, blocked: readonly Blocked[]): void => {
  const found = blocked.find((one) => one.sha256 === sha256);
  if (found !== undefined) {
    throw new ModelRefused(`The file is ${found.name}, whatever it is called here. ${found.licence}.`);
  }
};

/**
 * Recognises common files that arrive in place of a model, by their first bytes; undefined for other files.
 */
export const findImpostor = (head: Uint8Array): string | undefined => {
  const text = Buffer.from(head.subarray(0, 200)).toString("latin1").trimStart();
  if (text.startsWith("version https://git-lfs")) {
    return "it is a pointer of Git LFS, not the model: use the address of the file itself";
  }
  if (/^(<!doctype|<html|<\?xml)/i.test(text)) return "it is a web page, not the model";
  return /^[{[]/.test(text) ? "it is a JSON text, not the model" : undefined;
};

/** SHA-256 (hex) and length of a file, read in pieces. Throws ModelRefused above the accepted length. */
export const measureFile = async (
  path: string,
): Promise<{ readonly sha256: string; readonly bytes: number }> => {
  const hash = createHash("sha256");
  const handle = await open(path, "r");
  let bytes = 0;
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      if (!(chunk instanceof Uint8Array)) throw new Error("The file is not read as bytes");
      bytes += chunk.length;
      if (bytes > modelBytesMax) throw new ModelRefused(`${path} is longer than ${modelBytesMax} bytes`);
      hash.update(chunk);
    }
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest("hex"), bytes };
};

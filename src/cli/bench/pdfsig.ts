import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { quantile } from "#contract/statistics/quantile";
import { makeSamplePdf } from "./sample-pdf.ts";

const run = promisify(execFile);

/** A database of NSS with a key of RSA-3072 and its certificate. */
const makeDatabase = async (folder: string): Promise<string> => {
  const database = `sql:${folder}`;
  const noise = join(folder, "noise");
  await writeFile(noise, crypto.getRandomValues(new Uint8Array(64)));
  await run("certutil", ["-N", "-d", database, "--empty-password"]);
  const subject = ["-n", "bench", "-s", "CN=bench", "-x", "-t", "CT,C,C", "-m", "1", "-v", "12"];
  await run("certutil", ["-S", "-d", database, ...subject, "-k", "rsa", "-g", "3072", "-z", noise]);
  return database;
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/**
 * Median time, in milliseconds, of poppler's `pdfsig -add-signature` (Debian: poppler-utils, libnss3-tools)
 * over 50 KB; undefined where the tools are not installed.
 */
export const measurePdfsig = async (runs: number): Promise<number | undefined> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
  try {
    const database = await makeDatabase(folder);
    const [input, output] = [join(folder, "in.pdf"), join(folder, "out.pdf")];
    await writeFile(input, makeSamplePdf(50_000));
    const key = ["-nssdir", database, "-add-signature", "-nick", "bench", "-nss-pwd", ""];
    const times: number[] = [];
    for (let count = 0; count < runs; count++) {
      const start = performance.now();
      await run("pdfsig", [...key, input, output]);
      times.push(performance.now() - start);
    }
    return quantile(times, 0.5);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
};

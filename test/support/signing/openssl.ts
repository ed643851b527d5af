import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Its tests are left out on a machine with Node and npm alone. CI has it. */
export const hasOpenssl = spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0;

/** A folder of files for the program openssl: an independent reader and writer of certificates and keys. */
export const openOpenssl = () => {
  const folder = mkdtempSync(join(tmpdir(), "idem-openssl-"));
  const path = (name: string): string => join(folder, name);
  return {
    path,
    write: (name: string, bytes: Uint8Array | string): string => {
      writeFileSync(path(name), bytes);
      return path(name);
    },
    read: (name: string): Uint8Array => readFileSync(path(name)),
    /** Runs `openssl` in the folder and returns its exit code and what it wrote. */
    run: (...args: readonly string[]): { readonly code: number | null; readonly output: string } => {
      const { status, stdout, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
      return { code: status, output: `${stdout}${stderr}` };
    },
    close: (): void => rmSync(folder, { recursive: true }),
  };
};

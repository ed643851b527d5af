/**
 * What a new user waits for, from an empty folder: clone, installation, demo, a check of two own images; and
 * the size of the packages.
 *
 *   node scripts/stopwatch.ts [--repository URL|DIR] [--selfie FILE --document FILE] [--warm]
 *
 * The table goes to stderr, one line of JSON to stdout. Without --selfie and --document this checkout draws a
 * person's selfie and passport before the clock starts. npm begins with an empty cache, unless --warm leaves
 * it that of this user. It needs network for the packages, three GB of disk, and some minutes; nothing stays.
 * Run it on a machine that does nothing else.
 */
import { execFile, spawn } from "node:child_process";
import { copyFile, lstat, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { cpus, loadavg, release, tmpdir, totalmem, type } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { endWithHelp } from "./help.ts";
import { describeResult, type Machine, resultOf } from "./stopwatch/report.ts";

endWithHelp(import.meta.filename);

const checkout = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({
  options: {
    repository: { type: "string", default: checkout },
    selfie: { type: "string" },
    document: { type: "string" },
    warm: { type: "boolean", default: false },
  },
});
const ask = promisify(execFile);
const home = await mkdtemp(join(tmpdir(), "idem-stopwatch-"));
const clone = join(home, "idem");

/** A new user has neither the settings nor the packages of this checkout. */
const environment = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("IDEM_") && !name.startsWith("npm_")),
  ),
  PATH: (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter),
  ...(values.warm ? {} : { npm_config_cache: join(home, "npm-cache") }),
};

/** Runs a command to its end, and resolves with its seconds. What it prints goes to stderr. */
const run = async (cwd: string, command: string, ...args: readonly string[]): Promise<number> => {
  process.stderr.write(`$ ${[command, ...args].join(" ")}\n`);
  const begin = performance.now();
  const child = spawn(command, args, { cwd, env: environment, stdio: ["ignore", 2, 2] });
  const { promise, resolve: ended, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject);
  child.once("close", ended);
  const code = await promise;
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with code ${code}`);
  return (performance.now() - begin) / 1000;
};

/** The sizes of all files, which do not depend on the file system. */
const mbOf = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  }
  return Math.round(bytes / 1e6);
};

const machineOf = async (): Promise<Machine> => ({
  processor: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 1e9),
  system: `${type()} ${release()}`,
  node: (await ask("node", ["--version"], { env: environment })).stdout.trim().slice(1),
  loadBefore: Number(loadavg()[0]?.toFixed(1)),
});

const ownImages = async (): Promise<{ readonly selfie: string; readonly document: string }> => {
  const { selfie, document } = values;
  if (selfie !== undefined && document !== undefined) {
    return { selfie: resolve(selfie), document: resolve(document) };
  }
  const out = join(home, "images");
  const personas = ["facial-positive", "document-approved"];
  await run(checkout, join(checkout, "idem"), "personas", "download", "--out", out, ...personas);
  return {
    selfie: join(out, "facial-positive", "selfie.jpg"),
    document: join(out, "document-approved", "front.jpg"),
  };
};

/** A production installation, before and after trimming. */
const measureProduction = async () => {
  const folder = join(home, "production");
  await mkdir(folder);
  for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
    await copyFile(join(clone, name), join(folder, name));
  }
  await run(folder, "npm", "ci", "--omit=dev");
  const production = await mbOf(join(folder, "node_modules"));
  const trim = async (...options: readonly string[]): Promise<number> => {
    await run(clone, process.execPath, "scripts/trim-install.ts", "--root", folder, ...options);
    return await mbOf(join(folder, "node_modules"));
  };
  return { production, trimmedWithNode: await trim("--keep-node"), trimmed: await trim() };
};

try {
  const machine = await machineOf();
  const { selfie, document } = await ownImages();
  const cloneSeconds = await run(home, "git", "clone", "--quiet", values.repository, clone);
  const installSeconds = await run(clone, "npm", "ci");
  const demoSeconds = await run(clone, "npm", "run", "demo", "--", "--exit");
  const ownSeconds = await run(clone, "./idem", "verify", "--selfie", selfie, "--document", document);
  const all = await mbOf(join(clone, "node_modules"));
  const packagesMb = { all, ...(await measureProduction()) };
  const { stdout: commit } = await ask("git", ["-C", clone, "rev-parse", "--short=10", "HEAD"]);
  const measured = {
    commit: commit.trim(),
    cloneSeconds,
    installSeconds,
    demoSeconds,
    ownSeconds,
    packagesMb,
  };
  const result = resultOf(measured, machine, new Date());
  for (const line of describeResult(result)) process.stderr.write(`${line}\n`);
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await rm(home, { recursive: true, force: true });
}

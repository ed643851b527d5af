import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataDirectory } from "#machine/storage/data-directory";
import { makeFirstTenant } from "./harness/first-tenant.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness } from "./harness/service.ts";
import { openTenant } from "./harness/tenant.ts";

let harness: Harness;
beforeEach(async () => {
  harness = await makeHarness();
});
afterEach(() => harness.clear());

// TEST-NET-1 (RFC 5737): assigned to no host.
const unassignedHost = { IDEM_HOST: "192.0.2.1" };

/** Runs a command that must be refused, and returns its message. */
const refused = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const settings = {
    IDEM_DATA: harness.directory,
    IDEM_LOG_LEVEL: "silent",
    IDEM_PORT: "0",
    IDEM_DATA_WAIT_MS: "0",
  };
  const run = await runIdem(args, { ...settings, ...environment });
  expect(run.code, run.stderr).toBeOneOf([1, 2]);
  expect(run.stderr).not.toMatch(/^\s+at /m);
  return run.stderr.trim();
};

describe("a start that cannot be", () => {
  it.each([
    ["postgres://u:hunter2@127.0.0.1:1/idem", "no PostgreSQL server answers at 127.0.0.1:1 (ECONNREFUSED)"],
    ["postgres://u:hunter2@localhost:1/idem", "no PostgreSQL server answers at localhost:1 (ECONNREFUSED)"],
    ["mysql://u:hunter2@127.0.0.1/idem", "Set it to a URL that begins with postgres://"],
  ])("names IDEM_DATABASE_URL, and never its password: %s", async (url, words) => {
    for (const command of ["serve", "migrate"]) {
      const said = await refused([command], { IDEM_DATABASE_URL: url });
      expect(said).toContain("IDEM_DATABASE_URL");
      expect(said).toContain(words);
      expect(said).not.toContain("hunter2");
      expect(existsSync(harness.directory)).toBe(false);
    }
  });

  it("names the port that is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : "");
    expect(await refused(["serve"], { IDEM_PORT: port })).toMatch(`IDEM_PORT: ${port} on 127.0.0.1 is taken`);
    expect(existsSync(harness.directory)).toBe(false);
    other.close();
  });

  it("names an address that does not belong to this machine", async () => {
    expect(await refused(["serve"], unassignedHost)).toMatch(/^IDEM_HOST: 192.0.2.1 is not an address/m);
    expect(existsSync(harness.directory)).toBe(false);
  });

  it.each([
    ["a file that cannot be read", { IDEM_FACE_COHORT: "/nowhere/cohort" }, /IDEM_FACE_COHORT/],
    [
      "production without a network for liveness",
      { IDEM_MODE: "production", IDEM_MASTER_KEY: randomBytes(32).toString("base64") },
      /IDEM_ADVISORY_LIVENESS=accepted/,
    ],
  ])("leaves nothing new behind: %s", async (_what, environment, words) => {
    expect(await refused(["serve"], environment)).toMatch(words);
    expect(existsSync(harness.directory)).toBe(false);
  });

  it.runIf(process.getuid !== undefined)("creates no key in a directory that others can read", async () => {
    await mkdir(harness.directory);
    await chmod(harness.directory, 0o755);
    expect(await refused(["serve"])).toContain("Run: chmod 700");
    expect(await readdir(harness.directory)).toEqual([]);
  });

  it("beside a service on its directory names the directory, not the port", async () => {
    const { url, directory } = await openTenant();
    const said = await refused(["serve"], { IDEM_DATA: directory, IDEM_PORT: new URL(url).port });
    expect(said).toMatch(/is in use by process \d+/);
  });

  it.runIf(process.platform === "linux").each(["/proc/idem", "/proc/idem/data"])(
    "ends where no directory can be created: %s",
    async (directory) => {
      expect(await refused(["serve"], { IDEM_DATA: directory })).toMatch(/^IDEM_DATA: \/proc\/idem/m);
    },
  );

  it("names a data directory that is a file", async () => {
    const file = join(harness.directory, "..", "file");
    await writeFile(file, "");
    for (const directory of [file, join(file, "data")]) {
      expect(await refused(["serve"], { IDEM_DATA: directory })).toContain(
        "A file stands where a directory is wanted",
      );
    }
  });

  it("names a store that is no database", async () => {
    await runIdem(["migrate"], { IDEM_DATA: harness.directory });
    const file = join(harness.directory, "idem.sqlite");
    await writeFile(
      file,
      "no database, only a text that is long enough to be taken for the head of one.".repeat(9),
    );
    const said = await refused(["serve"]);
    expect(said).toContain(`IDEM_DATA: ${file} cannot be opened: file is not a database.`);
  });

  it("creates no new master key beside a store that a lost key sealed", async () => {
    await makeFirstTenant({ IDEM_DATA: harness.directory });
    expect(await runIdem(["tokens", "rotate"], { IDEM_DATA: harness.directory })).toMatchObject({ code: 0 });
    await rm(join(harness.directory, "development-master.key"));
    for (const command of [["serve"], ["keys", "list"]]) {
      const said = await refused(command);
      expect(said).toMatch(/development-master\.key is missing and IDEM_MASTER_KEY is not set/);
    }
    expect(existsSync(join(harness.directory, "development-master.key"))).toBe(false);
  });

  it("leaves no master key behind where the store cannot be opened", async () => {
    const held = await openDataDirectory(harness.directory);
    expect(await refused(["serve"])).toContain(`is in use by process ${process.pid}`);
    expect(await refused(["keys", "create", "--tenant", "Ana", "--scopes", "all"])).toContain("is in use");
    held.release();
    expect((await readdir(harness.directory)).sort()).toEqual(["lock.pid", "lock.sqlite"]);
  });

  it("names IDEM_MASTER_KEY where another key sealed the store", async () => {
    await makeFirstTenant({ IDEM_DATA: harness.directory });
    expect(await runIdem(["tokens", "rotate"], { IDEM_DATA: harness.directory })).toMatchObject({ code: 0 });
    const key = randomBytes(32).toString("base64");
    expect(await refused(["serve"], { IDEM_MASTER_KEY: key })).toContain("as IDEM_MASTER_KEY or");
    const right = (await readFile(join(harness.directory, "development-master.key"), "utf8")).trim();
    await (await harness.start({ IDEM_MASTER_KEY: right })).stop();
  });

  it("names the way out where the key of the first start is stale after a rotation", async () => {
    const own = { IDEM_DATA: harness.directory };
    expect(await runIdem(["migrate"], own)).toMatchObject({ code: 0 });
    expect(await runIdem(["tokens", "rotate"], own)).toMatchObject({ code: 0 });
    const file = join(harness.directory, "development-master.key");
    const right = (await readFile(file, "utf8")).trim();
    const key = randomBytes(32).toString("base64");
    const rotated = { IDEM_MASTER_KEY: key, IDEM_MASTER_KEY_PREVIOUS: right };
    const { stderr } = await runIdem(["keys", "rotate"], { ...own, ...rotated });
    expect(stderr).toContain(`The key in ${file} opens nothing any more. Set IDEM_MASTER_KEY for good`);
    const wayOut = `The key in ${file} does not open them. After idem keys rotate, set IDEM_MASTER_KEY for good`;
    expect(await refused(["serve"])).toContain(wayOut);
    const { stdout } = await runIdem(["doctor"], { ...own, IDEM_PORT: "0" });
    expect(stdout).toContain(wayOut);
  });
});

describe("a command that cannot be", () => {
  it.each([
    [["demo", "--port", "abc"], '--port is "abc"'],
    [["demo", "--port", "65536"], '--port is "65536"'],
    [["tokens", "seal", "/etc/hostname", "--kind", "ocr", "--url", "http://127.0.0.1:1/"], "does not answer"],
    [["tokens", "seal", "/etc/hostname", "--kind", "ocr", "--url", "nowhere"], '--url is "nowhere"'],
    [["help", "nonsense"], 'Unknown command "nonsense"'],
  ])("says so: %j", async (args, words) => {
    expect(await refused(args)).toContain(words);
  });

  it("rotates nothing without IDEM_MASTER_KEY", async () => {
    await runIdem(["migrate"], { IDEM_DATA: harness.directory });
    expect(await refused(["keys", "rotate"])).toContain("IDEM_MASTER_KEY is not set");
  });
});

describe("a mistyped IDEM_DATA", () => {
  it.each([
    ["users", "show", "--user", "ana"],
    ["users", "blocked"],
    ["document", "blocked"],
    ["replay"],
    ["models", "report"],
    ["keys", "list"],
    ["keys", "revoke", "4711"],
    ["keys", "rotate"],
    ["keys", "create", "--scopes", "all"],
    ["tokens", "rotate"],
    ["erase", "--confirm", "Test tenant"],
  ])("is named and creates no deployment: %s %s", async (...args) => {
    expect(await refused(args)).toBe(`Nothing is stored in ${harness.directory} yet: is IDEM_DATA right?`);
    expect(existsSync(harness.directory)).toBe(false);
  });

  it("is named where it is an unrelated folder, whose rights stay unchanged", async () => {
    await mkdir(harness.directory, { recursive: true, mode: 0o755 });
    expect(await refused(["users", "blocked"])).toBe(
      `Nothing is stored in ${harness.directory} yet: is IDEM_DATA right?`,
    );
  });

  it("is named where it holds only models, and stays unchanged", async () => {
    await mkdir(join(harness.directory, "models"), { recursive: true, mode: 0o700 });
    const said = await refused(["keys", "list"], { IDEM_MASTER_KEY: Buffer.alloc(32, 1).toString("base64") });
    expect(said).toContain("is IDEM_DATA right?");
    expect(await readdir(harness.directory)).toEqual(["models"]);
  });

  it("is named where the key of a database is missing", async () => {
    const database = { IDEM_DATABASE_URL: "postgres://u@127.0.0.1:1/idem" };
    expect(await refused(["keys", "list"], database)).toMatch(
      /needs the master key .*: IDEM_MASTER_KEY is not set, .* or correct IDEM_DATA/,
    );
    expect(existsSync(harness.directory)).toBe(false);
  });

  it("creates a new deployment where a first tenant is created", async () => {
    const made = await runIdem(["keys", "create", "--tenant", "Ana", "--scopes", "all"], {
      IDEM_DATA: harness.directory,
    });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('Created tenant "Ana"') });
  });
});

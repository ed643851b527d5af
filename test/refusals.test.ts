import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type House, makeHouse, runIdem } from "./harness/service.ts";

// A start that comes as far as its port has loaded every network.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let house: House;
beforeEach(async () => {
  house = await makeHouse();
});
afterEach(() => house.clear());

// TEST-NET-1 (RFC 5737): nobody's.
const nobodysHost = { IDEM_HOST: "192.0.2.1" };

/** Runs a command that must be refused, and answers what it said. */
const refused = async (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const settings = { IDEM_DATA: house.directory, IDEM_LOG_LEVEL: "silent", IDEM_PORT: "0" };
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
      expect(existsSync(house.directory)).toBe(false);
    }
  });

  it("names the port that is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = String(typeof address === "object" ? address?.port : "");
    expect(await refused(["serve"], { IDEM_PORT: port })).toMatch(`IDEM_PORT: ${port} on 127.0.0.1 is taken`);
    expect(existsSync(house.directory)).toBe(false);
    other.close();
  });

  it("names a host that is not of this machine", async () => {
    expect(await refused(["serve"], nobodysHost)).toMatch(/^IDEM_HOST: 192.0.2.1 is no address/);
    expect(existsSync(house.directory)).toBe(false);
  });

  it.each([
    ["a file that cannot be read", { IDEM_FACE_COHORT: "/nowhere/cohort" }, /IDEM_FACE_COHORT/],
    [
      "production without a network for liveness",
      { IDEM_MODE: "production", IDEM_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") },
      /IDEM_ADVISORY_LIVENESS=accepted/,
    ],
  ])("leaves nothing behind that was not there: %s", async (_what, environment, words) => {
    expect(await refused(["serve"], environment)).toMatch(words);
    expect(existsSync(house.directory)).toBe(false);
  });

  it.runIf(process.getuid !== undefined)(
    "makes no key in a directory into which others can look",
    async () => {
      await mkdir(house.directory);
      await chmod(house.directory, 0o755);
      expect(await refused(["serve"])).toContain("Run: chmod 700");
      expect(await readdir(house.directory)).toEqual([]);
    },
  );

  it("beside a service of its directory names that, and not the port", async () => {
    const { url } = await house.start();
    const said = await refused(["serve"], { IDEM_PORT: new URL(url).port });
    expect(said).toMatch(/is in use by process \d+/);
  });

  it.runIf(process.platform === "linux").each(["/proc/idem", "/proc/idem/data"])(
    "ends where no directory can be made: %s",
    async (directory) => {
      expect(await refused(["serve"], { IDEM_DATA: directory })).toMatch(/^IDEM_DATA: \/proc\/idem/);
    },
  );

  it("names a data directory that is a file", async () => {
    const file = join(house.directory, "..", "file");
    await writeFile(file, "");
    for (const directory of [file, join(file, "data")]) {
      expect(await refused(["serve"], { IDEM_DATA: directory })).toContain(
        "A file stands where a directory is wanted",
      );
    }
  });

  it("names a store that is no database", async () => {
    await runIdem(["migrate"], { IDEM_DATA: house.directory });
    const file = join(house.directory, "idem.sqlite");
    await writeFile(
      file,
      "no database, only a text that is long enough to be taken for the head of one.".repeat(9),
    );
    const said = await refused(["serve"]);
    expect(said).toContain(`IDEM_DATA: ${file} cannot be opened: file is not a database.`);
  });

  it("makes no fresh master key beside a store that a lost one sealed", async () => {
    await mkdir(house.directory, { mode: 0o700 });
    await writeFile(join(house.directory, "idem.sqlite"), "");
    for (const command of [["serve"], ["keys", "list"]]) {
      const said = await refused(command);
      expect(said).toMatch(/development-master\.key is missing and IDEM_MASTER_KEY is not set/);
    }
    expect(await readdir(house.directory)).toEqual(["idem.sqlite"]);
  });

  it("names IDEM_MASTER_KEY where another one sealed the store", async () => {
    await (await house.start()).stop();
    const key = Buffer.alloc(32, 1).toString("base64");
    expect(await refused(["serve"], { IDEM_MASTER_KEY: key })).toContain("as IDEM_MASTER_KEY or");
    const right = (await readFile(join(house.directory, "development-master.key"), "utf8")).trim();
    await (await house.start({ IDEM_MASTER_KEY: right })).stop();
  });
});

describe("a command that cannot be", () => {
  it.each([
    [["demo", "--port", "abc"], '--port is "abc"'],
    [["demo", "--port", "65536"], '--port is "65536"'],
    [["tokens", "seal", "/etc/hostname", "--kind", "ocr", "--url", "http://127.0.0.1:1/"], "does not answer"],
    [["tokens", "seal", "/etc/hostname", "--kind", "ocr", "--url", "nowhere"], '--url is "nowhere"'],
    [["help", "nonsense"], 'There is no command "nonsense"'],
  ])("says so: %j", async (args, words) => {
    expect(await refused(args)).toContain(words);
  });

  it("rotates nothing without IDEM_MASTER_KEY", async () => {
    await runIdem(["migrate"], { IDEM_DATA: house.directory });
    expect(await refused(["keys", "rotate"])).toContain("IDEM_MASTER_KEY is not set");
  });
});

describe("a mistyped IDEM_DATA", () => {
  it.each([
    ["people", "show", "--user", "ana"],
    ["people", "blocked"],
    ["document", "blocked"],
    ["replay"],
    ["models", "report"],
    ["keys", "list"],
    ["keys", "revoke", "4711"],
    ["keys", "rotate"],
    ["keys", "create", "--scopes", "all"],
    ["tokens", "rotate"],
    ["erase", "--confirm", "Test tenant"],
  ])("is named and makes no deployment: %s %s", async (...args) => {
    expect(await refused(args)).toBe(`Nothing is stored in ${house.directory} yet: is IDEM_DATA right?`);
    expect(existsSync(house.directory)).toBe(false);
  });

  it("is named where it is a folder of something else, whose rights are left alone", async () => {
    await mkdir(house.directory, { recursive: true, mode: 0o755 });
    expect(await refused(["people", "blocked"])).toBe(
      `Nothing is stored in ${house.directory} yet: is IDEM_DATA right?`,
    );
  });

  it("is named where it holds models only, and stays as it was", async () => {
    await mkdir(join(house.directory, "models"), { recursive: true, mode: 0o700 });
    const said = await refused(["keys", "list"], { IDEM_MASTER_KEY: Buffer.alloc(32, 1).toString("base64") });
    expect(said).toContain("is IDEM_DATA right?");
    expect(await readdir(house.directory)).toEqual(["models"]);
  });

  it("is named where a database has its key elsewhere", async () => {
    const database = { IDEM_DATABASE_URL: "postgres://u@127.0.0.1:1/idem" };
    expect(await refused(["keys", "list"], database)).toMatch(
      /is IDEM_DATA right\? IDEM_MASTER_KEY is not set/,
    );
    expect(existsSync(house.directory)).toBe(false);
  });

  it("is a new deployment's where a first tenant is made", async () => {
    const made = await runIdem(["keys", "create", "--tenant", "Ana", "--scopes", "all"], {
      IDEM_DATA: house.directory,
    });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('Made tenant "Ana"') });
  });
});

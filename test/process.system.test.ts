import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { eventually } from "#support/contract/eventually";
import { drawWithoutFace, persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { environmentOf, type Harness, makeHarness, program } from "./harness/service.ts";

/** For a test that needs an empty place. */
let harness: Harness;
beforeEach(async () => {
  harness = await makeHarness();
});
afterEach(() => harness.clear());

/** A data directory whose service is started three times, by the tests in their order. */
let long: Harness;
/** What the inference library of its service takes for the home of a user. */
let home: string;
let service: ServiceProcess;
/** A validation of the first of them. */
let scanReference: string;

const validation = "/verify/documentValidation/v2";
const reference = Compile(Type.Object({ scanReference: Type.String() }));

const startLong = (settings: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> =>
  long.start({ HOME: home, TMPDIR: home, XDG_CACHE_HOME: home, ORT_DISABLE_TELEMETRY: "", ...settings });

beforeAll(async () => {
  long = await makeHarness();
  home = join(long.directory, "..", "home");
  await mkdir(home);
  service = await startLong();
  const client = makeClient(service.url, service.apiKey);
  const documentFrontRawImage = toBase64(await drawWithoutFace());
  const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage };
  const started = await client.post(`${validation}/start`, request);
  ({ scanReference } = reference.Parse(started.body));
  const status = async () =>
    Object((await client.post(`${validation}/status`, { scanReference })).body).status;
  await eventually(async () => expect(await status()).toBe("DONE"), { timeout: 60_000, interval: 50 });
});
afterAll(() => long.clear());

/** Two signals at once drain as one does. */
const endTwice = async (signal: "SIGINT" | "SIGTERM"): Promise<void> => {
  service.kill(signal);
  service.kill(signal);
  expect(await service.ended).toBe(0);
};

describe("the process", () => {
  it("drains after two SIGINT at once, and serves again with the same key and token key", async () => {
    const readKeys = async () =>
      (await makeClient(service.url, service.apiKey).get("/.well-known/idem-keys.json")).body;
    const [{ apiKey }, keys] = [service, await readKeys()];
    expect(await long.countBlobFiles()).toBe(1);
    await endTwice("SIGINT");
    // The sweeper keeps files younger than an hour: their call might still write the row.
    await long.ageBlobFiles(2 * 3_600_000);
    service = await startLong({ IDEM_PICTURE_DAYS: "0" });
    expect(service.apiKey).toBe(apiKey);
    expect(await readKeys()).toEqual(keys);
  });
});

describe("the stored data of a person", () => {
  it("loses its images after the configured days, and is erased with its tenant", async () => {
    await expect.poll(long.countBlobFiles, { timeout: 60_000 }).toBe(0);
    const client = makeClient(service.url, service.apiKey);
    const record = await client.post(`${validation}/data`, { scanReference });
    expect(record).toMatchObject({ status: 200, body: { verification: { scanReference, code: 9103 } } });

    const environment = { IDEM_DATA: long.directory };
    expect((await runIdem(["erase"], environment)).code).toBe(2);
    const erased = await runIdem(["erase", "--confirm", "Test tenant"], environment);
    expect(erased).toMatchObject({ code: 0, stderr: expect.stringContaining("Destroyed 3 data keys") });
    const after = await client.post(`${validation}/data`, { scanReference });
    expect(after).toMatchObject({ status: 404, body: { failure: "not_found" } });
  });
});

describe("the doctor beside a service", () => {
  it("distinguishes this deployment's service from another deployment's", async () => {
    const port = new URL(service.url).port;
    const own = await runIdem(["doctor"], { IDEM_DATA: long.directory, IDEM_PORT: port });
    expect(own.stdout).toMatch(/ok {3}service +running and ready/);
    expect(own.stdout).toMatch(/ok {3}port +\d+ is served by this deployment/);
    expect(own.code).toBe(0);
    const otherDirectory = join(long.directory, "../other");
    const other = await runIdem(["doctor"], { IDEM_DATA: otherDirectory, IDEM_PORT: port });
    expect(other.stdout).toMatch(/RED {2}port +\d+ is taken by another deployment of Idem/);
    const moved = await runIdem(["doctor"], { IDEM_DATA: long.directory, IDEM_PORT: "0" });
    expect(moved.stdout).toMatch(/RED {2}service +process \d+ has the data directory open, but not port 0/);
  });
});

describe("the process", () => {
  it("refuses a second process on its data directory, finishes running calls after SIGTERM and ends with 0", async () => {
    const client = makeClient(service.url, service.apiKey);
    const beside = { IDEM_DATA: long.directory, IDEM_PORT: "0", IDEM_DATA_WAIT_MS: "0" };
    const second = await runIdem(["serve"], beside);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain("in use by process");
    expect(second.stderr).not.toMatch(/^\s+at /m);
    expect((await client.get("/readyz")).status).toBe(200);

    const imageBuffer = toBase64(persons.selfie);
    const calls = Array.from({ length: 8 }, () =>
      client.post("/services/evaluatePassiveLiveness", { imageBuffer }),
    );
    await calls[0];
    await endTwice("SIGTERM");
    const answers = await Promise.all(calls);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(1);
    await expect(client.get("/healthz")).rejects.toThrow();
  });
});

describe("the stored data of an erased tenant", () => {
  it("is absent after a later start", async () => {
    service = await startLong();
    const client = makeClient(service.url, service.apiKey);
    const after = await client.post(`${validation}/data`, { scanReference });
    expect(after).toMatchObject({ status: 404, body: { failure: "not_found" } });
  });
});

describe("the inference library", () => {
  it("stores no telemetry: no device id, no session, no log of its uploader", async () => {
    const imageBuffer = toBase64(persons.selfie);
    const client = makeClient(service.url, service.apiKey);
    expect((await client.post("/services/evaluatePassiveLiveness", { imageBuffer })).status).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(await readdir(home)).toEqual([]);
  });
});

/** Resolves when the process has written a line that begins with `start`. */
const lineOf = async (child: ChildProcess, start: string): Promise<void> => {
  for await (const line of createInterface({ input: child.stderr! })) {
    if (line.startsWith(start)) {
      return;
    }
  }
  throw new Error(`The process ended without a line that begins with ${start}`);
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("a signal", () => {
  it("to npm start reaches the service, which drains", async () => {
    const env = environmentOf({
      IDEM_DATA: harness.directory,
      IDEM_PORT: "0",
      IDEM_WORKERS: "1",
      IDEM_SIGNING_THREADS: "1",
    });
    const npm = spawn("npm", ["start"], { env, stdio: ["ignore", "ignore", "pipe"] });
    await lineOf(npm, "Idem is ready");
    const pid = Number(await readFile(join(harness.directory, "lock.pid"), "utf8"));
    expect(isAlive(pid)).toBe(true);
    npm.kill("SIGTERM");
    expect(await once(npm, "exit")).toEqual([0, null]);
    expect(isAlive(pid)).toBe(false);
  });

  it.each(["Starting the service", "Ready after"])(
    "ends the demo and its service and leaves no directory, after '%s'",
    async (line) => {
      await mkdir(harness.directory);
      const env = environmentOf({ TMPDIR: harness.directory });
      const demo = spawn(process.execPath, [program, "demo"], { env, stdio: ["ignore", "ignore", "pipe"] });
      await lineOf(demo, line);
      demo.kill("SIGTERM");
      expect(await once(demo, "exit")).toEqual([1, null]);
      expect(await readdir(harness.directory)).toEqual([]);
    },
  );
});

describe("the command line", () => {
  it.each([
    [["help"], 0],
    [["serve", "--help"], 0],
    [["measure", "faces", "--help"], 0],
    [["nonsense"], 2],
    [["serve", "--nonsense"], 2],
    [["keys"], 2],
    [["keys", "create", "--tenant", "Test tenant"], 2],
    [["keys", "create", "--tenant", "Test tenant", "--scopes", "face,everything"], 2],
    [["tokens", "seal", "/nowhere", "--kind", "ocr"], 1],
  ] as const)("ends %j with %i and without a stack", async (args, code) => {
    const run = await runIdem(args, { IDEM_DATA: harness.directory });
    expect(run.code, run.stderr).toBe(code);
    expect(run.stderr).not.toMatch(/^\s+at /m);
  });

  it("names a wrong setting and does not start", async () => {
    const run = await runIdem(["serve"], { IDEM_DATA: harness.directory, IDEM_PORT: "many" });
    expect(run).toMatchObject({ code: 1 });
    expect(run.stderr).toContain('IDEM_PORT is "many". Set it to a whole number from 0 to 65535.');
  });

  it("creates, lists and revokes keys", async () => {
    const environment = { IDEM_DATA: harness.directory };
    const made = await runIdem(
      ["keys", "create", "--tenant", "Bank", "--name", "till", "--scopes", "face"],
      environment,
    );
    expect(made.stdout.trim()).toMatch(/^idem_test_/);
    const [, id = "", expiry = ""] = /Key (\S+) of tenant[^]*expires on (\S+)/.exec(made.stderr) ?? [];
    const days = (Date.parse(expiry) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(364.9);
    expect(days).toBeLessThanOrEqual(365);
    expect((await runIdem(["keys", "list"], environment)).stdout).toMatch(/till\s+test\s+face\s.*active/);
    expect((await runIdem(["keys", "revoke", id], environment)).code).toBe(0);
    expect((await runIdem(["keys", "list"], environment)).stdout).toMatch(/revoked/);
    expect((await runIdem(["keys", "revoke", id], environment)).code).toBe(1);
  });
});

describe("production", () => {
  it("does not start with advisory liveness unless accepted, and the doctor reports the same", async () => {
    const environment = {
      IDEM_DATA: join(harness.directory, "production"),
      IDEM_MODE: "production",
      IDEM_PORT: "0",
      IDEM_MASTER_KEY: randomBytes(32).toString("base64"),
    };
    await mkdir(environment.IDEM_DATA, { recursive: true, mode: 0o700 });
    const refused = await runIdem(["serve"], environment);
    expect(refused.stderr).toMatch(/idem models fetch minifasnet.*IDEM_ADVISORY_LIVENESS=accepted/);
    expect(refused.code).toBe(1);
    expect((await runIdem(["doctor"], environment)).stdout).toMatch(/RED {2}liveness +advisory/);
    const accepting = { ...environment, IDEM_ADVISORY_LIVENESS: "accepted" };
    expect((await runIdem(["doctor"], accepting)).stdout).toMatch(/ok {3}liveness +advisory/);
  });
});

describe("the doctor", () => {
  it("reports a healthy machine as healthy and a wrong one as red, and creates nothing", async () => {
    const healthy = await runIdem(["doctor"], { IDEM_DATA: harness.directory, IDEM_PORT: "0" });
    expect(healthy.stdout).not.toContain("RED");
    expect(healthy.code).toBe(0);
    const wrong = await runIdem(["doctor"], { IDEM_DATA: harness.directory, IDEM_MODE: "production" });
    expect(wrong.stdout).toMatch(/RED {2}settings[^]*IDEM_MASTER_KEY is not set/);
    expect(wrong.stdout).toMatch(/RED {2}not checked +data directory, disk[^]*Correct the settings/);
    expect(wrong.code).toBe(1);
    expect(await readdir(join(harness.directory, ".."))).toEqual([]);
  });

  it("reports files that others may open, until the next start, and secrets that can be guessed", async () => {
    const settings = { IDEM_DATA: harness.directory, IDEM_PORT: "0", IDEM_METRICS_TOKEN: "m" };
    await runIdem(["migrate"], settings);
    const store = join(harness.directory, "idem.sqlite");
    await chmod(store, 0o644);
    const open = await runIdem(["doctor"], settings);
    expect(open.stdout).toMatch(/RED {2}data directory .*idem\.sqlite \(rights 644\)/);
    expect(open.stdout).toMatch(/ok {3}secrets +production refuses: IDEM_METRICS_TOKEN has 1 of at least 16/);
    expect(open.code).toBe(1);
    await runIdem(["migrate"], settings);
    expect((await stat(store)).mode & 0o777).toBe(0o600);
    expect((await runIdem(["doctor"], settings)).code).toBe(0);
  });

  it("does not take another program for the service because it answers /healthz", async () => {
    const impostor = createServer((_request, response) => response.end('{"status":"alive"}'));
    await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
    const address = impostor.address();
    const port = String(typeof address === "object" ? address?.port : "");
    const run = await runIdem(["doctor"], { IDEM_DATA: harness.directory, IDEM_PORT: port });
    impostor.close();
    expect(run.stdout).toMatch(/RED {2}port +\d+ is taken by another program/);
    expect(run.code).toBe(1);
  });

  it("reports a lost master key, a store that is no database and a bucket that does not answer", async () => {
    await mkdir(harness.directory, { mode: 0o700 });
    await writeFile(join(harness.directory, "idem.sqlite"), "a text that is no database ".repeat(99));
    const { stdout } = await runIdem(["doctor"], {
      IDEM_DATA: harness.directory,
      IDEM_PORT: "0",
      IDEM_S3_BUCKET: "b",
      IDEM_S3_ENDPOINT: "http://127.0.0.1:1",
      IDEM_S3_ACCESS_KEY_ID: "id",
      IDEM_S3_SECRET_ACCESS_KEY: "hunter2",
    });
    expect(stdout).toMatch(/RED {2}master key[^]*development-master.key is missing/);
    expect(stdout).toMatch(/RED {2}store[^]*idem.sqlite cannot be opened: file is not a database/);
    expect(stdout).toMatch(/RED {2}S3[^]*ECONNREFUSED/);
    expect(stdout).not.toContain("hunter2");
    expect(await readdir(harness.directory)).toEqual(["idem.sqlite"]);
  });
});

import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Client, makeClient } from "#cli/kit/service/client";
import { drawWithoutFace, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness, type Run } from "./harness/service.ts";

const base = "/verify/documentValidation/v2";
const started = Compile(Type.Object({ scanReference: Type.String() }));
const stateOf = Compile(Type.Object({ status: Type.String() }));
const masterKey = randomBytes(32).toString("base64");
/** The validations of the killed service begin again when their leases end. */
const settings = { IDEM_MASTER_KEY: masterKey, IDEM_LEASE_MS: "2000" };

let harness: Harness;
let image: string;
/** Answers that the service gave before the backup began. */
let before: readonly string[];
let home: string;
const place = (name: string): string => join(home, name);
const idem = (...args: readonly string[]): Promise<Run> =>
  runIdem(args, { ...settings, IDEM_DATA: harness.directory });

beforeAll(async () => {
  harness = await makeHarness();
  home = dirname(harness.directory);
  image = toBase64(await drawWithoutFace());
  const made = await idem("backup", "key", "--out", place("secret.pem"));
  await writeFile(place("public.pem"), made.stdout);
  await idem("backup", "key", "--out", place("other.pem"));
});
afterAll(() => harness.clear());

/** Starts validations until the signal aborts; the references of those that the service has acknowledged. */
const load = (client: Client, ending: AbortSignal) => {
  const acknowledged: string[] = [];
  const call = async (): Promise<void> => {
    while (!ending.aborted) {
      const request = { country: "CHL", idType: "PASSPORT", documentFrontRawImage: image };
      const { status, body } = await client.post(`${base}/start`, request);
      if (status === 200) acknowledged.push(started.Parse(body).scanReference);
      await sleep(200);
    }
  };
  return { acknowledged, ended: call() };
};

const untilLength = async (list: readonly unknown[], length: number): Promise<void> => {
  while (list.length < length) await sleep(20);
};

const untilDecided = async (client: Client, scanReference: string): Promise<string> => {
  for (;;) {
    const { status, body } = await client.post(`${base}/status`, { scanReference });
    if (status !== 200 || !stateOf.Check(body)) return `${status} ${JSON.stringify(body)}`;
    if (body.status !== "PENDING") return body.status;
    await sleep(100);
  }
};

it("every answer that the service gave before a backup under load is there after a restore", async () => {
  const service = await harness.start(settings);
  const ending = new AbortController();
  const { acknowledged, ended } = load(makeClient(service.url, service.apiKey), ending.signal);
  await untilLength(acknowledged, 3);
  before = [...acknowledged];
  const written = await idem(
    "backup",
    "--out",
    place("one.backup"),
    "--recipient",
    place("public.pem"),
    "--json",
  );
  expect(written, written.stderr).toMatchObject({ code: 0 });
  // The service goes on during the backup and after it.
  await untilLength(acknowledged, before.length + 1);
  ending.abort();
  await ended;
  service.kill("SIGKILL");
  await service.ended;
  expect((await stat(place("one.backup"))).mode & 0o777).toBe(0o600);
  expect((await readdir(home)).filter((name) => /store|part/.test(name))).toStrictEqual([]);

  const restored = await idem(
    "restore",
    place("one.backup"),
    "--key",
    place("secret.pem"),
    "--to",
    place("restored"),
    "--json",
  );
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  const sumOf = ({ stdout }: Run): unknown => JSON.parse(stdout).sha256;
  expect(sumOf(restored)).toBe(sumOf(written));
  const verified = await runIdem(["evidence", "verify"], { ...settings, IDEM_DATA: place("restored") });
  expect(verified, verified.stderr).toMatchObject({ code: 0 });

  await copyFile(join(harness.directory, "development-key"), join(place("restored"), "development-key"));
  const again = await harness.start({ ...settings, IDEM_DATA: place("restored") });
  const client = makeClient(again.url, again.apiKey);
  for (const scanReference of before) {
    expect(await untilDecided(client, scanReference), scanReference).toBe("DONE");
  }
  await again.stop();
});

it("the manifest of a backup shows an object that was changed or lost", async () => {
  const manifest = place("manifest.jsonl");
  const written = await idem(
    "backup",
    "--out",
    place("two.backup"),
    "--recipient",
    place("public.pem"),
    "--manifest",
    manifest,
  );
  expect(written, written.stderr).toMatchObject({ code: 0 });
  expect(await idem("restore", "--manifest", manifest, "--check")).toMatchObject({
    code: 0,
    stdout: "All of it is there.\n",
  });
  const files = await readdir(join(harness.directory, "blobs"), { recursive: true, withFileTypes: true });
  const [file] = files.filter((entry) => entry.isFile());
  const path = join(file!.parentPath, file!.name);
  const bytes = await readFile(path);
  await writeFile(path, Buffer.concat([bytes, Buffer.of(0)]));
  const changed = await idem("restore", "--manifest", manifest, "--check");
  expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining(`${file!.name} was changed`) });
  await writeFile(path, bytes);
  const lines = (await readFile(manifest, "utf8")).split("\n");
  await writeFile(place("cut.jsonl"), lines.slice(0, -2).join("\n"));
  const cut = await idem("restore", "--manifest", place("cut.jsonl"), "--check");
  expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining("is cut off") });
});

it.each([
  ["the wrong key", "other.pem", (bytes: Buffer) => bytes, "Wrong key"],
  ["a file without its last byte", "secret.pem", (bytes: Buffer) => bytes.subarray(0, -1), "cut off"],
  ["a file with one byte changed", "secret.pem", (bytes: Buffer) => change(bytes, 60_000), "was changed"],
  ["another file", "secret.pem", () => Buffer.from("text"), "is no backup"],
])("%s restores nothing, and the error names the cause", async (_, key, alter, cause) => {
  await writeFile(place("altered.backup"), alter(await readFile(place("one.backup"))));
  const { code, stderr } = await idem(
    "restore",
    place("altered.backup"),
    "--key",
    place(key),
    "--to",
    place("nothing"),
  );
  expect({ code, stderr }).toStrictEqual({ code: 1, stderr: expect.stringContaining(cause) });
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(await readdir(place("nothing"))).toStrictEqual([]);
});

const change = (bytes: Buffer, at: number): Buffer => {
  bytes[at] = bytes[at]! ^ 1;
  return bytes;
};

it("a directory that is not empty is refused, and stays as it is", async () => {
  await mkdir(place("full"), { mode: 0o700 });
  await writeFile(join(place("full"), "note"), "");
  const { code, stderr } = await idem(
    "restore",
    place("one.backup"),
    "--key",
    place("secret.pem"),
    "--to",
    place("full"),
  );
  expect({ code, stderr }).toStrictEqual({ code: 1, stderr: expect.stringContaining("is not empty (note)") });
  expect(await readdir(place("full"))).toStrictEqual(["note"]);
});

it("no service starts with a directory whose restore was interrupted", async () => {
  await mkdir(place("unfinished"), { mode: 0o700 });
  await writeFile(join(place("unfinished"), "restore-unfinished"), "");
  const { code, stderr } = await runIdem(["serve"], { ...settings, IDEM_DATA: place("unfinished") });
  expect({ code, stderr }).toStrictEqual({ code: 1, stderr: expect.stringContaining("has not ended") });
});

it("the check shows that its master key opens the store, and another one nothing", async () => {
  const args = ["restore", place("one.backup"), "--key", place("secret.pem"), "--check"];
  const own = await runIdem(args, settings);
  expect(own).toMatchObject({ code: 0, stderr: expect.stringContaining("of the settings opens its store") });
  const other = await runIdem(args, { IDEM_MASTER_KEY: randomBytes(32).toString("base64") });
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("signed by the foreign key") });
});

it.each([
  [["backup", "--out", "x"], "--recipient"],
  [["restore", "x", "--key", "y"], "--check and --to"],
])("%j is refused with what it lacks", async (args, missing) => {
  expect(await idem(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(missing) });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { makeFirstTenant } from "../harness/first-tenant.ts";
import { drawWithoutFace, pdf, persons, toBase64 } from "../harness/images.ts";
import { runIdem } from "../harness/run-idem.ts";
import { environmentOf, type Harness, makeHarness, program, type Run } from "../harness/service.ts";
import { countRows, readRows, type StoredRow } from "../harness/store-rows.ts";

/** The operator of an existing client: its key, its country and its users come along. */
let harness: Harness;
let folder = "";

beforeAll(async () => {
  harness = await makeHarness();
  folder = await mkdtemp(join(tmpdir(), "idem-operator-"));
  await makeFirstTenant({ IDEM_DATA: harness.directory });
});
afterAll(async () => {
  await harness.clear();
  await rm(folder, { recursive: true });
});

const environment = () => ({ IDEM_DATA: harness.directory, IDEM_WORKERS: "1" });
const idem = (...args: readonly string[]): Promise<Run> => runIdem(args, environment());

/** Runs a command with a text on stdin. */
const idemWith = (input: string, ...args: readonly string[]): Promise<Run> =>
  runIdem(args, environment(), input);

const queried = (sql: string): readonly StoredRow[] => readRows(harness.directory, sql);
const countUsers = (): number => countRows(harness.directory, "select count(*) n from users");

const key = "Zk3vQ8xLm2NpR7tWb5YdCa0h";
const create = ["--scopes", "face,user,document", "--name", "gateway"];

it("imports a key of another form and stores its hash alone", async () => {
  const weak = await idemWith(`${key.slice(0, 21)}\n`, "keys", "import", ...create);
  expect([weak.code, weak.stdout]).toEqual([1, ""]);
  expect(weak.stderr).not.toContain(key.slice(0, 8));
  const imported = await idemWith(`${key}\n`, "keys", "import", ...create);
  expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining("Imported key")]);
  expect(imported.stdout + imported.stderr).not.toContain(key.slice(0, 8));
  expect(JSON.stringify(queried("select * from api_keys"))).not.toContain(key);
  expect((await idemWith(`${key}\n`, "keys", "import", ...create)).code).toBe(1);
  expect((await idem("keys", "list")).stdout).toContain("gateway");
});

it("imports a key into an existing tenant alone, and suggests the name", async () => {
  const run = await idemWith(`${key}zz\n`, "keys", "import", ...create, "--tenant", "Test tenat");
  expect([run.code, run.stdout]).toEqual([1, ""]);
  expect(run.stderr).toContain('There is no tenant "Test tenat". Did you mean Test tenant?');
  expect(queried("select name from tenants")).toEqual([{ name: "Test tenant" }]);
});

it("sets the default country of a tenant", async () => {
  const set = (country: string) => idem("tenants", "set", "Test tenant", "--default-country", country);
  for (const wrong of ["chl", "XXX", "CH"]) expect((await set(wrong)).code).toBe(2);
  expect((await idem("tenants", "set", "Nobody", "--default-country", "CHL")).code).toBe(1);
  expect((await set("CHL")).code).toBe(0);
  expect((await idem("tenants", "list")).stdout).toMatch(/Test tenant\s+CHL/);
});

it("imports users from a list, over a kill, and no person twice", async () => {
  const files = {
    portrait: persons.portrait,
    impostor: persons.impostor,
    document: pdf,
    table: await drawWithoutFace(),
  };
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, `${name}.jpg`), bytes);
  const csv = join(folder, "users.csv");
  const rows = [
    "userId,image",
    "user-1,portrait.jpg",
    "user-2,impostor.jpg",
    '"user-3",document.jpg',
    "user-4,table.jpg",
    "user-5,none.jpg",
    "user-1,portrait.jpg",
  ];
  await writeFile(csv, `${rows.join("\r\n")}\r\n`);
  const args = ["users", "import", "--csv", csv, "--environment", "test", "--json"];

  const killed = spawn(process.execPath, [program, ...args], {
    env: environmentOf(environment()),
    stdio: "ignore",
  });
  while (countUsers() === 0 && killed.exitCode === null) await sleep(20);
  killed.kill("SIGKILL");
  if (killed.exitCode === null && killed.signalCode === null) await once(killed, "exit");
  expect(countUsers()).toBeGreaterThan(0);

  const again = await idem(...args);
  expect(again.code).toBe(1);
  const lines = again.stdout
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines.slice(0, -1)).toEqual(
    expect.arrayContaining([
      { line: 4, reason: "image-unreadable" },
      { line: 5, reason: "no-usable-face" },
      { line: 6, reason: "image-missing" },
    ]),
  );
  expect(lines).toHaveLength(4);
  expect(countUsers()).toBe(2);
  expect(again.stdout).not.toContain("user-");

  const service = await harness.start();
  const client = makeClient(service.url, key);
  const attempt = (userId: string) =>
    client.post("/services/authenticateUser/v2", {
      userId,
      merchantReferenceId: "login-1",
      image: toBase64(persons.portrait),
      bestImageToken: toBase64(persons.selfie),
    });
  expect(await attempt("user-1")).toMatchObject({ status: 200, body: { outcome: "approved" } });
  expect(await attempt("user-2")).toMatchObject({ status: 200, body: { serviceResultCode: -100 } });
  const side = toBase64(persons.portrait);
  const document = { tokenFrontDocument: side, tokenBackDocument: side };
  expect((await client.post("/services/extractDocumentDataWeb", document)).status).toBe(200);
  const wrong = makeClient(service.url, `${key}x`);
  expect((await wrong.post("/services/extractFacial", {})).status).toBe(401);
  await service.stop();
});

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { startRegistryServer } from "#support/registry/gateway-server";
import { runIdem } from "./harness/run-idem.ts";
import { environmentOf, type Harness, makeHarness, program, type Run } from "./harness/service.ts";

/** The commands of the operator for civil registries. */
let harness: Harness;
let settings = "";
let server: Awaited<ReturnType<typeof startRegistryServer>>;
const masterKey = randomBytes(32).toString("base64");

const variables = () => ({
  IDEM_DATA: harness.directory,
  IDEM_MASTER_KEY: masterKey,
  IDEM_REGISTRIES: settings,
  IDEM_EGRESS_ALLOW: "127.0.0.0/8",
});
const registry = (...args: readonly string[]): Promise<Run> => runIdem(["registry", ...args], variables());
const inFolder = (name: string): string => join(harness.directory, "..", `registry-${name}`);
const panama = ["--country", "PAN", "--test"];

beforeAll(async () => {
  harness = await makeHarness();
  server = await startRegistryServer();
  settings = inFolder("settings.yaml");
  await writeFile(
    settings,
    `test:
  PAN: { connector: local, legalBasis: "Law 81" }
  ECU:
    connector: gateway
    legalBasis: "Contract 12/2026"
    request: { method: GET, url: "${server.url}/{documentNumber}" }
    answer:
      unknown: { where: { /codigo: ["001"] } }
      fields: { firstName: /persona/nombres, documentNumber: /persona/cedula, photo: /persona/foto }
`,
  );
  const created = await runIdem(["keys", "create", "--tenant", "Bank", "--scopes", "webhook"], variables());
  expect(created).toMatchObject({ code: 0 });
});
afterAll(async () => {
  server.close();
  await harness.clear();
});

const photoOf = async (width: number, height: number): Promise<Uint8Array> => {
  const { encodeJpeg } = makeImaging({ limits: defaultImagingLimits });
  return await encodeJpeg({ width, height, data: new Uint8Array(randomBytes(width * height * 3)) }, 90);
};

it("imports persons with photos, reports bad rows without a value, and answers about them", async () => {
  const [list, photos] = [inFolder("persons.csv"), inFolder("photos")];
  await mkdir(photos);
  await writeFile(join(photos, "large.jpg"), await photoOf(1_600, 1_200));
  await writeFile(join(photos, "broken.jpg"), "no image");
  await writeFile(
    list,
    `documentNumber;firstName;dateOfBirth;photo
8-123-456;MARÍA FICTICIA;1990-02-01;large.jpg
8-123-457;CANARIA;01/02/1990;
8-123-458;CANARIA;;broken.jpg
CANARIA;ANA;;
`,
  );
  const imported = await registry("import", list, ...panama, "--photos", photos, "--json");
  expect(imported.code).toBe(1);
  const lines: readonly unknown[] = imported.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
    { added: 1, changed: 0, unchanged: 0, repeated: 0, refused: 3 },
    { line: 3, fault: "date-wrong", column: "dateOfBirth" },
    { line: 4, fault: "photo-unreadable", column: "photo" },
    { line: 5, fault: "number-wrong", column: "documentNumber" },
  ]);
  expect(imported.stdout + imported.stderr).not.toContain("CANARIA");
  const listed = await registry("list");
  expect(listed.stdout).toMatch(/test +PAN +1 +1/);

  const hidden = await registry("check", ...panama, "--number", "8-123-456");
  expect(hidden.code).toBe(0);
  expect(hidden.stdout).toMatch(/firstName +14 characters/);
  expect(hidden.stdout + hidden.stderr).not.toContain("FICTICIA");
  const shown = await registry("check", ...panama, "--number", "8-123-456", "--show");
  expect(shown.stdout).toMatch(/firstName +MARÍA FICTICIA/);
  // Scaled to 720 pixels: noise of 1600 x 1200 has more than a megabyte.
  expect(Number(/photo +(\d+) bytes/.exec(shown.stdout)?.[1])).toBeLessThan(700_000);
  const unknown = await registry("check", ...panama, "--number", "8-999-999");
  expect([unknown.code, unknown.stderr]).toEqual([0, expect.stringContaining("no person with this number")]);

  expect((await registry("remove", ...panama, "--number", "8-999-999")).code).toBe(1);
  expect((await registry("remove", ...panama, "--all")).stderr).toContain("Nothing was removed");
  expect((await registry("remove", ...panama, "--number", "8-123-456")).code).toBe(0);
  expect((await registry("list")).stderr).toContain("No person is in a local registry");
});

it("goes on after SIGKILL where it was, and removes all", async () => {
  const [list, count] = [inFolder("many.jsonl"), 12_000];
  const rows = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ documentNumber: `8-${1 + (n % 900)}-${1 + Math.floor(n / 900)}`, city: `Ciudad ${n}` }),
  );
  await writeFile(list, `${rows.join("\n")}\n`);
  const child = spawn(process.execPath, [program, "registry", "import", list, ...panama], {
    env: environmentOf(variables()),
  });
  // The first line of progress comes after two seconds.
  await once(child.stderr, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  const again = await registry("import", list, ...panama, "--json");
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(`${count} rows`)]);
  const counts: { added: number; unchanged: number } = JSON.parse(again.stdout);
  expect(counts).toMatchObject({ changed: 0, refused: 0 });
  expect(counts.unchanged).toBeGreaterThan(0);
  expect(counts.added + counts.unchanged).toBe(count);
  const removed = await registry("remove", ...panama, "--all", "--confirm", "PAN");
  expect(removed.stderr).toContain(`Removed ${count} persons`);
});

it("asks a gateway of the environment alone, and prints no value", async () => {
  const incomplete = await registry("check", "--country", "ECU", "--number", "1710034065", "--test");
  expect([incomplete.code, incomplete.stderr]).toEqual([2, expect.stringContaining("--code CODE")]);
  const ecuador = ["--country", "ECU", "--number", "1710034065", "--code", "V4133V3222"];
  const checked = await registry("check", ...ecuador, "--test");
  expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(/documentNumber +10 characters/)]);
  expect(checked.stdout).not.toContain("ANA");
  const live = await registry("check", ...ecuador, "--live");
  expect([live.code, live.stderr]).toEqual([1, expect.stringContaining("no registry of ECU for live keys")]);
  expect(server.received).toHaveLength(1);
  server.answerWith((_, response) => void response.writeHead(500).end());
  const failed = await registry("check", ...ecuador, "--test");
  expect([failed.code, failed.stderr]).toEqual([
    1,
    expect.stringContaining("civil registry: it answered 500"),
  ]);
  await writeFile(settings, "test: { ECU: { connector: gateway } }");
  const wrong = await registry("check", ...ecuador, "--test");
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringContaining("/test/ECU: must have required properties legalBasis"),
  ]);
});

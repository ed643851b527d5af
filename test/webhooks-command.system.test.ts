import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startServer } from "#support/webhooks/servers";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness, type Run } from "./harness/service.ts";

/** The commands of the operator for destinations. */
let harness: Harness;
const masterKey = randomBytes(32).toString("base64");

/** Runs a command with a text on stdin. */
const idem = (
  args: readonly string[],
  input = "",
  variables: Readonly<Record<string, string>> = {},
): Promise<Run> =>
  runIdem(args, { IDEM_DATA: harness.directory, IDEM_MASTER_KEY: masterKey, ...variables }, input);
const webhooks = (...args: readonly string[]): Promise<Run> => idem(["webhooks", ...args]);

beforeAll(async () => {
  harness = await makeHarness();
  expect((await idem(["keys", "create", "--tenant", "Bank", "--scopes", "webhook"])).code).toBe(0);
});
afterAll(() => harness.clear());

const added = ["--name", "Receiver", "--url", "https://hooks.example.com/a", "--topics", "workflows/*/v1"];
const idOf = ({ stderr }: Run): string => /Destination ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? "";
const textsOf = ({ stdout, stderr }: Run): string => stdout + stderr;

it("adds, shows, changes and removes a destination, and shows its secrets once", async () => {
  const first = await idem(
    ["webhooks", "add", ...added, "--api-key-header", "X-Key", "--header", "x-a=canary-a"],
    "canary-key\n",
  );
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/)]);
  const id = idOf(first);
  const shown = await webhooks("show", id);
  expect(shown.stdout).toMatch(/authentication\s+API key in the header x-key/);
  const oauth = [
    "--token-url",
    "https://login.example.com",
    "--client-id",
    "me",
    "--credential-from",
    "HOOK_SECRET",
  ];
  const set = await idem(["webhooks", "set", id, "--timeout", "5", ...oauth], "", {
    HOOK_SECRET: "canary-secret",
  });
  expect(set.stdout).toMatch(/OAuth client me at https:\/\/login\.example\.com/);
  expect(set.stdout).toMatch(/timeout\s+5 s/);
  const rotated = await webhooks("rotate-secret", id, "--former-hours", "0");
  expect(rotated.stdout).toMatch(/^whsec_/);
  expect(rotated.stdout).not.toBe(first.stdout);
  expect((await webhooks("pause", id)).code).toBe(0);
  const list = await webhooks("list");
  expect(list.stdout).toMatch(
    new RegExp(`${id} +Receiver +paused \\(operator\\) +workflows/\\*/v1 +https://hooks`),
  );
  expect((await webhooks("resume", id)).code).toBe(0);
  for (const run of [shown, set, list]) expect(textsOf(run)).not.toMatch(/canary|whsec_/);
  expect((await webhooks("list", "--live")).stderr).toContain("There is no destination");
  expect((await webhooks("remove", id)).code).toBe(0);
  const gone = await webhooks("show", id);
  expect([gone.code, gone.stderr]).toEqual([
    1,
    expect.stringContaining('Tenant "Bank" has no such destination'),
  ]);
  for (const file of await readdir(harness.directory, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name));
    for (const word of ["canary", "whsec_"]) expect(bytes.includes(word), file.name).toBe(false);
  }
});

it("asks a receiver on this host for its consent, where the deployment allows the address", async () => {
  const receiver = await startServer((_, _request, response) =>
    response.writeHead(200, { "webhook-allowed-origin": "*" }).end(),
  );
  const local = [...added, "--url", receiver.url, "--handshake", "on"];
  const refused = await webhooks("add", ...local);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("IDEM_EGRESS_ALLOW")]);
  const allowed = { IDEM_EGRESS_ALLOW: "127.0.0.1" };
  const waiting = await idem(["webhooks", "add", ...local], "", allowed);
  expect(waiting.stderr).toContain("idem webhooks handshake");
  const consented = await idem(["webhooks", "handshake", idOf(waiting)], "", allowed);
  expect([consented.code, consented.stderr]).toEqual([0, expect.stringContaining("active")]);
  expect(receiver.received.map(({ method }) => method)).toEqual(["OPTIONS"]);
  receiver.close();
});

it.each<readonly [readonly string[], number, RegExp]>([
  [["ad"], 2, /Unknown action "ad"\. Did you mean add\?/],
  [["add", "--nam", "x"], 2, /Unknown option --nam\. Did you mean --name\?/],
  [["add", "--name", "x"], 2, /Set --url/],
  [["add", ...added, "--topics", "workflows/id-capture/v1"], 2, /Did you mean workflows\/id-captured\/v1\?/],
  [
    ["add", ...added, "--url", "http://hooks.example.com"],
    1,
    /url: "http:\/\/hooks\.example\.com\/" is refused/,
  ],
  [["add", ...added, "--credential-from", "X"], 2, /--credential-from belongs to/],
  [["add", ...added, "--tenant", "Bnk"], 1, /There is no tenant "Bnk"/],
  [["set", "00000000-0000-4000-8000-000000000000"], 2, /Name a setting/],
  [["show"], 2, /Name the destination/],
])("refuses with the next step: %j", async (args, code, expected) => {
  const run = await webhooks(...args);
  expect([run.code, run.stdout]).toEqual([code, ""]);
  expect(run.stderr).toMatch(expected);
});

/** Events of personas, as the mailbox receives them, and what a live key gets. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type LocalServer, startServer } from "#support/webhooks/servers";
import { memberOf } from "../../scripts/contract/json.ts";
import { runIdem } from "../harness/run-idem.ts";
import { openTenant, type Tenant } from "../harness/tenant.ts";
import { createMailbox, eventsOf, nameOf } from "./mailbox-events.ts";
import { patientMs, testPersonasOf } from "./personas.ts";
import { get, operationOf, runCalls, runPersona, showPersona } from "./run-persona.ts";

let folder = "";
let service: Tenant;
let receiver: LocalServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-persona-events-"));
  receiver = await startServer((_, _request, response) => response.writeHead(204).end());
  service = await openTenant();
  await createMailbox(service);
});

afterAll(async () => {
  receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

const run = async (name: string): Promise<string> => {
  const persona = await showPersona(service, name);
  expect(await runPersona(service, persona)).toEqual([]);
  return operationOf(persona.calls);
};

testPersonasOf(() => service, /^operation-/u);

it(
  "delivery-duplicate delivers each event twice with one id",
  async () => {
    const operation = await run("delivery-duplicate");
    await expect.poll(async () => (await eventsOf(service, operation)).length, { timeout: 30_000 }).toBe(8);
    const ids = (await eventsOf(service, operation)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  },
  patientMs,
);

it(
  "delivery-reordered delivers the first event last",
  async () => {
    const operation = await run("delivery-reordered");
    await expect.poll(async () => (await eventsOf(service, operation)).length, { timeout: 30_000 }).toBe(4);
    expect((await eventsOf(service, operation)).map(nameOf).at(-1)).toBe("operation_started");
  },
  patientMs,
);

it(
  "delivery-late delivers each event two seconds late",
  async () => {
    const before = performance.now();
    const operation = await run("delivery-late");
    await expect.poll(async () => (await eventsOf(service, operation)).length, { timeout: 30_000 }).toBe(4);
    expect(performance.now() - before).toBeGreaterThan(2_000);
  },
  patientMs,
);

it.each([
  ["succeeded", 200, 200],
  // The time of the hash ends with the call.
  ["failed", 410, 404],
] as const)(
  "callback-%s is called back with %i",
  async (status, statusCode, certificate) => {
    const persona = await showPersona(service, `callback-${status}`);
    const calls = persona.calls.map((call) =>
      "callbackUrl" in call.body ? { ...call, body: { ...call.body, callbackUrl: receiver.url } } : call,
    );
    const { broken, answers } = await runCalls(service, calls);
    expect(broken).toEqual([]);
    const [identity, previred] = [answers.get("identity"), answers.get("previred")];
    const id = memberOf(previred, "transactionId");
    const arrived = () => receiver.received.filter(({ headers }) => headers["webhook-id"] === id);
    await expect.poll(() => arrived().length, { timeout: 30_000 }).toBe(1);
    expect(JSON.parse(arrived()[0]?.body ?? "")).toMatchObject({ transactionId: id, statusCode, status });
    const path = `/services/previred/${String(memberOf(identity, "serviceTransactionId"))}/certificate`;
    const opened = await get(service, `${path}?token=${String(memberOf(previred, "hash"))}`);
    expect(opened.status).toBe(certificate);
    const listed = await runIdem(
      ["clearing", "callbacks", "--url", service.url, "--key-from", "CALLER_KEY"],
      {
        CALLER_KEY: service.apiKey,
      },
    );
    const row = listed.stdout.split("\n").find((line) => line.startsWith(String(id))) ?? listed.stderr;
    expect(row).toMatch(/^\S+ +delivered +1 +delivered 204 +\d{4}-/);
  },
  patientMs,
);

it(
  "are refused to a live key, with evidence, and absent for it",
  async () => {
    const live = { url: service.url, apiKey: await service.makeLiveKey() };
    expect((await get(live, "/sandbox/v1/personas")).status).toBe(404);
    const { image } = await (await get(service, "/sandbox/v1/personas/liveness-live/selfie")).json();
    const ask = async (apiKey: string) =>
      await fetch(`${service.url}/services/evaluatePassiveLiveness`, {
        method: "POST",
        headers: { "x-api-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ imageBuffer: image }),
      });
    expect((await ask(service.apiKey)).status).toBe(200);
    const refused = await ask(live.apiKey);
    expect([refused.status, (await refused.json()).failure]).toEqual([422, "persona_refused"]);
    const file = join(folder, "evidence.jsonl");
    const exported = await runIdem(["evidence", "export", "--tenant", service.name, "--out", file], {
      IDEM_DATA: service.directory,
    });
    expect(exported, exported.stderr).toMatchObject({ code: 0 });
    expect(await readFile(file, "utf8")).toContain('"persona_refused"');
  },
  patientMs,
);

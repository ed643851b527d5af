/** Events of personas, as the mailbox receives them, and what a live key gets. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServiceProcess, startService } from "#cli/serve/service-process";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import { type LocalServer, startServer } from "#webhooks/testing/servers";
import { memberOf } from "../../scripts/contract/json.ts";
import { environmentOf, program, runIdem } from "../harness/service.ts";
import { get, runCalls, runPersona, settings, showPersona } from "./run-persona.ts";

const patientMs = 180_000;
let folder = "";
let liveKey = "";
let service: ServiceProcess;
let receiver: LocalServer;

const environment = () => ({ env: environmentOf({ IDEM_DATA: folder }) });

type Event = { readonly source: string; readonly type: string; readonly id: string; readonly data: unknown };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-persona-events-"));
  // The first start makes the tenant. A key is made while no service owns the embedded store.
  await (await startService(folder, settings)).stop();
  const live = [program, "keys", "create", "--scopes", "all", "--live", "--name", "live"];
  const { stdout } = await promisify(execFile)(process.execPath, live, environment());
  liveKey = stdout.trim().split(/\s+/u).at(-1) ?? "";
  receiver = await startServer((_, _request, response) => response.writeHead(204).end());
  service = await startService(folder, { ...settings, IDEM_EGRESS_ALLOW: "127.0.0.1" });
  const made = await fetch(`${service.url}/operator/destinations`, {
    method: "POST",
    headers: { "x-api-key": service.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ name: "personas", url: "mailbox:", topics: ["workflows/*/v1"] }),
  });
  expect(made.status).toBe(200);
}, 2 * patientMs);

afterAll(async () => {
  await service?.stop();
  receiver?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Every event of an operation that arrived, in the order of arrival. */
const eventsOf = async (operation: string): Promise<readonly Event[]> => {
  const events: Event[] = [];
  for (let after = "0"; ; ) {
    const { messages } = await (await get(service, `/operator/mailbox?after=${after}`)).json();
    for (const { body } of messages) events.push(JSON.parse(body));
    if (messages.length === 0) return events.filter(({ source }) => source === `/operations/${operation}`);
    after = String(messages.at(-1).number);
  }
};

const nameOf = ({ type }: Event): string => type.split(".").at(-2) ?? "";

/** The values of event tables that an operation's events state. */
const statedBy = (events: readonly Event[]): readonly string[] =>
  events.flatMap((event) => {
    const name = nameOf(event);
    const states = {
      facial_authentication_evaluated: ["facialEvent", memberOf(event.data, "status")],
      passive_liveness_evaluated: ["livenessEvent", memberOf(event.data, "diagnostic")],
      operation_finished: ["finishedStatus", memberOf(event.data, "status")],
    } as const;
    const stated = Object.entries(states).find(([of]) => of === name)?.[1];
    return [`event ${name}`, ...(stated ? [stated.join(" ")] : [])];
  });

const eventTables = ["event", "facialEvent", "livenessEvent", "finishedStatus"];

/** The operation that the bodies of a shown persona name. */
const operationOf = (calls: readonly { readonly body: unknown }[]): string => {
  const names = calls.map(({ body }) => memberOf(memberOf(body, "tracking"), "operationId"));
  return names.filter((name) => typeof name === "string").at(0) ?? "";
};

const run = async (name: string): Promise<string> => {
  const persona = await showPersona(service, name);
  expect(await runPersona(service, persona)).toEqual([]);
  return operationOf(persona.calls);
};

const withEvents = personas.filter(({ produces }) =>
  produces.some(({ table }) => eventTables.includes(table)),
);

it.each(withEvents.map(({ name, produces }) => [name, produces] as const))(
  "%s states its events",
  async (name, produces) => {
    const operation = await run(name);
    const promised = produces
      .filter(({ table }) => eventTables.includes(table))
      .map(({ table, value }) => `${table} ${value}`);
    await expect
      .poll(async () => statedBy(await eventsOf(operation)), { timeout: 60_000 })
      .toEqual(expect.arrayContaining(promised));
  },
  patientMs,
);

it(
  "delivery-duplicate delivers each event twice with one id",
  async () => {
    const operation = await run("delivery-duplicate");
    await expect.poll(async () => (await eventsOf(operation)).length, { timeout: 30_000 }).toBe(8);
    const ids = (await eventsOf(operation)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  },
  patientMs,
);

it(
  "delivery-reordered delivers the first event last",
  async () => {
    const operation = await run("delivery-reordered");
    await expect.poll(async () => (await eventsOf(operation)).length, { timeout: 30_000 }).toBe(4);
    expect((await eventsOf(operation)).map(nameOf).at(-1)).toBe("operation_started");
  },
  patientMs,
);

it(
  "delivery-late delivers each event two seconds late",
  async () => {
    const before = performance.now();
    const operation = await run("delivery-late");
    await expect.poll(async () => (await eventsOf(operation)).length, { timeout: 30_000 }).toBe(4);
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
    const live = { url: service.url, apiKey: liveKey };
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
    await promisify(execFile)(
      process.execPath,
      [program, "evidence", "export", "--out", file],
      environment(),
    );
    expect(await readFile(file, "utf8")).toContain('"persona_refused"');
  },
  patientMs,
);

import { afterAll, beforeAll, expect, it } from "vitest";
import type { PartReport } from "#app/store-check/store-check";
import { verifyStore } from "#app/store-check/verify-store";
import { makeClient } from "#cli/kit/service/client";
import { finish, onboard } from "#cli/kit/service/onboarding";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { readConfig } from "#machine/config/config";
import { sealToken } from "#trust/tokens/seal";
import { memberOf } from "../scripts/contract/json.ts";
import { drawCases, persons, toBase64 } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { environmentOf, type Harness, makeHarness, type Run, untilReady } from "./harness/service.ts";

let harness: Harness;
let service: ServiceProcess;
const configOf = (directory: string) =>
  readConfig(environmentOf({ IDEM_DATA: directory, IDEM_MASTER_KEY: masterKey }));
const masterKey = Buffer.alloc(32, "a key of this test").toString("base64");

/** A busy machine analyses an image for a minute. */
const settings = { IDEM_MASTER_KEY: masterKey, IDEM_REQUEST_TIMEOUT_MS: "120000" };

const verify = async (directory: string): Promise<readonly PartReport[]> => {
  const parts = await verifyStore(configOf(directory), () => undefined);
  if (parts === undefined) throw new Error(`Nothing is stored in ${directory}`);
  return parts;
};

const faultsIn = async (directory: string) => (await verify(directory)).flatMap(({ faults }) => faults);

const idem = (directory: string, ...args: readonly string[]): Promise<Run> =>
  runIdem(args, { IDEM_DATA: directory, IDEM_MASTER_KEY: masterKey });

/** Uses the service as callers and operators do: every kind of row that this fills is checked. */
const use = async ({ url, apiKey }: ServiceProcess): Promise<void> => {
  const client = makeClient(url, apiKey);
  const keys = await fetchPublishedKeys(url);
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await client.post(path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200);
    return answer.body;
  };
  await post("/operator/destinations", { name: "receiver", url: "https://receiver.example/", topics: ["*"] });
  await post("/operator/keys", { name: "worker", scopes: ["face"] });
  const genuine = (await drawCases())["genuine"]!;
  const operation = { operationId: "operation-1", extraData: "an operation" };
  const onboarded = await onboard(client, keys, genuine, { operation, merchantIdScanReference: "caller-1" });
  await finish(client, onboarded, operation);
  await post("/services/evaluatePassiveLiveness", {
    imageBuffer: toBase64(persons.selfie),
    tracking: { operationId: "operation-2" },
  });
  await post("/services/authenticateUser/v2", {
    userId: "user-1",
    merchantReferenceId: "login-1",
    image: toBase64(persons.portrait),
    bestImageToken: await sealToken({ keys, kind: "best-image", payload: persons.selfie, now: new Date() }),
  });
  const session = await post("/capture/v1/sessions", { steps: ["face"], origin: "https://bank.example" });
  expect(memberOf(session, "sessionId")).toEqual(expect.any(String));
};

/** An operation with an image, which has ended. */
const endOperation = async ({ url, apiKey }: ServiceProcess) => {
  const client = makeClient(url, apiKey);
  const operationId = "operation-3";
  const imageBuffer = toBase64(persons.selfie);
  await client.post("/services/evaluatePassiveLiveness", { imageBuffer, tracking: { operationId } });
  const shown = await client.get(`/operator/operations/${operationId}`);
  const [asset] = Object.values(Object(memberOf(shown.body, "assets")));
  const link = new URL(String(memberOf(asset, "url")));
  const ending = { family: "OnBoarding", status: "DENIED", extraData: "a token", operationId };
  const { body } = await client.post("/services/finishTracking", ending);
  return { operationId, link, ending, body };
};

let ended: Awaited<ReturnType<typeof endOperation>>;

beforeAll(async () => {
  harness = await makeHarness();
  service = await harness.start(settings);
  await untilReady(service.url);
  await use(service);
  ended = await endOperation(service);
});
afterAll(() => harness.clear());

it("a store in use is whole while the service runs, and after its death", async () => {
  expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
    'idem_operations_ended{state="DENIED"} 1',
  );
  expect(await faultsIn(harness.directory)).toStrictEqual([]);
  service.kill("SIGKILL");
  await service.ended;
  expect(await faultsIn(harness.directory)).toStrictEqual([]);
  service = await harness.start(settings);
  await untilReady(service.url);
});

it("an answered end of an operation survives the death of the process, and its links do", async () => {
  const client = makeClient(service.url, service.apiKey);
  const { operationId, link, ending, body } = ended;
  const shown = await client.get(`/operator/operations/${operationId}`);
  expect(shown).toMatchObject({ status: 200, body: { state: "DENIED" } });
  const again = await client.post("/services/finishTracking", ending);
  expect(again.status).toBe(200);
  expect(memberOf(again.body, "transactionId")).toBe(memberOf(body, "transactionId"));
  expect(memberOf(body, "transactionId")).toEqual(expect.any(String));
  expect((await fetch(`${service.url}${link.pathname}${link.search}`)).status).toBe(200);
});

it("a store in use is whole after the end of its service", async () => {
  await service.stop();
  const parts = await verify(harness.directory);
  expect(parts.flatMap(({ faults }) => faults)).toStrictEqual([]);
  expect(parts.map(({ part }) => part)).toStrictEqual([
    "database",
    "sealed rows",
    "evidence",
    "rights",
    "blobs",
  ]);
  for (const { part, checked } of parts) expect(checked, part).toBeGreaterThan(3);
  const run = await idem(harness.directory, "store", "verify", "--json");
  expect(run, run.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(run.stdout)).toMatchObject({ isWhole: true, faultCount: 0 });
});

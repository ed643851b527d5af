import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Environment } from "#features/registry/registry";
import { makeEgress } from "#machine/egress/make-egress";
import { startRegistryServer } from "#support/registry/gateway-server";
import { type LocalHarness, openLocalHarness } from "#support/registry/local-harness";
import { aQuestion } from "#support/registry/registry-suite";
import { openRegistries } from "./registries.ts";
import { readRegistries } from "./registry-settings.ts";

let folder = "";
let local: LocalHarness;
let live: Awaited<ReturnType<typeof startRegistryServer>>;
let test: Awaited<ReturnType<typeof startRegistryServer>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "idem-registries-"));
  local = await openLocalHarness();
  [live, test] = [await startRegistryServer(), await startRegistryServer()];
});
afterAll(async () => {
  live.close();
  test.close();
  await local.close();
  rmSync(folder, { recursive: true });
});

const egress = { allow: ["127.0.0.0/8"] };
const gateway = (url: string): object => ({
  connector: "gateway",
  legalBasis: "Contract 12/2026",
  request: { method: "GET", url: `${url}/{documentNumber}` },
  answer: { fields: { documentNumber: "/persona/cedula" } },
});
const openWith = (settings: object) => {
  const file = join(folder, "registries.yaml");
  writeFileSync(file, JSON.stringify(settings));
  const registries = readRegistries({ registries: { file, checksDocuments: false }, egress });
  return openRegistries({ egress: makeEgress(egress), storage: local, registries, clock: () => new Date() });
};
const open = (settings: object) => openWith(settings).find;
const ask = (find: ReturnType<typeof open>, environment: Environment) =>
  find(environment, "ECU")?.ask({ ...aQuestion("1710034065"), environment }, new AbortController().signal);

it("a key reaches the registry of its own environment alone", async () => {
  const find = open({ live: { ECU: gateway(live.url) }, test: { ECU: gateway(test.url) } });
  expect(await ask(find, "test")).toMatchObject({ kind: "person" });
  expect([live.received.length, test.received.length]).toEqual([0, 1]);
  expect(await ask(find, "live")).toMatchObject({ kind: "person" });
  expect([live.received.length, test.received.length]).toEqual([1, 1]);
});

it("a country that one environment names is not configured for the other", () => {
  const find = open({
    live: { ECU: gateway(live.url) },
    test: { PAN: { connector: "local", legalBasis: "Law 81" } },
  });
  expect([find("live", "ECU")?.connector, find("test", "PAN")?.connector]).toEqual(["gateway", "local"]);
  expect([find("test", "ECU"), find("live", "PAN"), find("live", "HND")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it("a registry that fails pauses no other", async () => {
  const find = open({ live: { ECU: gateway(live.url) }, test: { ECU: gateway(test.url) } });
  test.answerWith((_, response) => void response.writeHead(404).end());
  for (let n = 0; n < 6; n++) await ask(find, "test")?.catch(() => undefined);
  await expect(ask(find, "test")).rejects.toMatchObject({
    facts: { reason: expect.stringContaining("paused") },
  });
  expect(await ask(find, "live")).toMatchObject({ kind: "person" });
});

it("the metrics tell the outcomes and the pause of each registry", async () => {
  const { find, gauges } = openWith({ live: { ECU: gateway(live.url) }, test: { ECU: gateway(test.url) } });
  const read = (name: string) =>
    gauges
      .find((gauge) => gauge.name === name)
      ?.read()
      .map(({ labels, value }) => [...Object.values(labels ?? {}), value].join(" "));
  expect(read("idem_registry_questions")).toEqual([]);
  expect(read("idem_registry_paused")).toEqual(["live ECU 0", "test ECU 0"]);
  test.answerWith((_, response) => void response.writeHead(404).end());
  for (let n = 0; n < 6; n++) await ask(find, "test")?.catch(() => undefined);
  await ask(find, "live");
  expect(read("idem_registry_questions")).toEqual([
    "live ECU person 1",
    "test ECU failed 5",
    "test ECU paused 1",
  ]);
  expect(read("idem_registry_paused")).toEqual(["live ECU 0", "test ECU 1"]);
  const seconds = gauges.find(({ name }) => name === "idem_registry_seconds")?.read() ?? [];
  expect(seconds.every(({ value }) => value > 0 && value < 60)).toBe(true);
});

it("without a settings file no registry is configured", () => {
  const registries = readRegistries({ registries: { file: undefined, checksDocuments: false }, egress });
  const { find } = openRegistries({
    egress: makeEgress(egress),
    storage: local,
    registries,
    clock: () => new Date(),
  });
  expect(find("test", "ECU")).toBeUndefined();
});

it("a wrong settings file is named with its variable", () => {
  expect(() => open({ live: { CHL: {} } })).toThrow(/^IDEM_REGISTRIES: .*registries\.yaml/);
});

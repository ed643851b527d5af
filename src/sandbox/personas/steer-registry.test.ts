import { expect, it } from "vitest";
import type { FindRegistry, RegistryQuestion } from "#features/registry/registry";
import { steerRegistry } from "./steer-registry.ts";

const { signal } = new AbortController();
const configured: FindRegistry = (environment, country) =>
  country === "HND"
    ? {
        connector: "local",
        legalBasis: "Contract 1",
        ask: async () => ({ kind: "person", person: { fields: { city: environment } } }),
      }
    : undefined;

const find = steerRegistry(configured, [
  { country: "HND", number: "0801199090001", answer: { kind: "unknown" } },
  { country: "HND", number: "0801199090002", answer: { kind: "failure", code: "timed_out" } },
  { country: "GTM", number: "1234567890101", answer: { kind: "unknown" } },
]);

const question = (documentNumber: string): RegistryQuestion => ({
  tenantId: "tenant",
  environment: "test",
  transactionId: "transaction",
  country: "HND",
  documentNumber,
});

it("answers the number of a persona in any spelling, and fails as it asks", async () => {
  const [unknown, silent] = ["0801-1990-90001", "0801199090002"] as const;
  const registry = find("test", "HND", unknown);
  expect(registry).toMatchObject({ connector: "gateway", legalBasis: "Persona of the sandbox" });
  expect(await registry?.ask(question(unknown), signal)).toEqual({ kind: "unknown" });
  const failed = find("test", "HND", silent)?.ask(question(silent), signal);
  await expect(failed).rejects.toMatchObject({ code: "timed_out" });
});

it("sends every other number to the configured registry, under its legal basis", async () => {
  const registry = find("test", "HND", "0801199000000");
  expect(registry).toMatchObject({ connector: "local", legalBasis: "Contract 1" });
  expect(await registry?.ask(question("0801199000000"), signal)).toMatchObject({ kind: "person" });
});

it("has no registry for another number where none is configured", async () => {
  expect(find("test", "GTM", "1234567890102")).toBeUndefined();
  expect(find("test", "GTM", "1234567890101")).toBeDefined();
  expect(find("test", "PAN")).toBeUndefined();
});

it("has a registry before the number is read, which answers personas alone", async () => {
  const asked = find("test", "GTM")?.ask({ ...question("1"), country: "GTM" }, signal);
  await expect(asked).rejects.toMatchObject({ code: "registry_not_configured" });
  expect(find("test", "HND")).toMatchObject({ legalBasis: "Contract 1" });
});

it("never answers a live key", async () => {
  const number = "0801199090001";
  expect(await find("live", "HND", number)?.ask(question(number), signal)).toMatchObject({
    person: { fields: { city: "live" } },
  });
  expect(find("live", "GTM", "1234567890101")).toBeUndefined();
});

import { expect, it } from "vitest";
import type { FindRegistry, RegistryQuestion } from "#registry/registry";
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
  const registry = find("test", "HND");
  expect(await registry?.ask(question("0801-1990-90001"), signal)).toEqual({ kind: "unknown" });
  await expect(registry?.ask(question("0801199090002"), signal)).rejects.toMatchObject({ code: "timed_out" });
});

it("sends every other number to the configured registry, under its legal basis", async () => {
  const registry = find("test", "HND");
  expect(registry).toMatchObject({ connector: "local", legalBasis: "Contract 1" });
  expect(await registry?.ask(question("0801199000000"), signal)).toMatchObject({ kind: "person" });
});

it("states that no registry is configured for another number", async () => {
  const asked = find("test", "GTM")?.ask({ ...question("1"), country: "GTM" }, signal);
  await expect(asked).rejects.toMatchObject({ code: "registry_not_configured" });
  expect(find("test", "PAN")).toBeUndefined();
});

it("never answers a live key", async () => {
  expect(await find("live", "HND")?.ask(question("0801199090001"), signal)).toMatchObject({
    person: { fields: { city: "live" } },
  });
  expect(find("live", "GTM")).toBeUndefined();
});

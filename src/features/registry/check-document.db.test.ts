import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import type { RegistryQuestion } from "#judging/document/decision/watchlists/civil-registry";
import { steerRegistry } from "#sandbox/personas/steer-registry";
import { makeMemoryRegistry } from "#support/registry/memory-registry";
import { askDepsOf, openStorage } from "#support/registry/open-civil";
import { askRegistry } from "./ask-registry.ts";
import { makeCheckDocument } from "./check-document.ts";

const registry = makeMemoryRegistry();
const storage = await openStorage();
afterAll(storage.close);
const { tenantId, operations } = storage;
const errors: unknown[] = [];
const check = makeCheckDocument({
  ...askDepsOf(storage, registry.find),
  clock: () => new Date(),
  onError: (_, error) => errors.push(error),
});
const { signal } = new AbortController();

const document: RegistryQuestion = {
  owner: { tenantId, environment: "test" },
  validation: randomUUID(),
  country: "PER",
  number: "70275722",
  personalNumber: null,
  isPassport: false,
  sex: "F",
  documentCode: null,
  lastName: "QUISPE MAMANI",
  firstName: "ROSA",
  dateOfBirth: "1990-01-31",
};
const held = { lastName: "Quispe Mamani", firstName: "Rosa Elena", dateOfBirth: "1990-01-31", gender: "F" };

beforeEach(() => {
  registry.questions.length = 0;
  errors.length = 0;
  registry.hold("70275722", { fields: held });
});

it("a document agrees with its registry, and the question stands in the evidence with its purpose", async () => {
  expect(await check(document, signal)).toBe("agrees");
  expect(registry.questions).toEqual([
    {
      tenantId,
      environment: "test",
      transactionId: document.validation,
      country: "PER",
      documentNumber: "70275722",
    },
  ]);
  const [body] = operations.query("select body from evidence_bodies order by seq desc limit 1");
  expect(JSON.parse(String(body?.["body"]))).toMatchObject({
    transaction: document.validation,
    purpose: "documentValidation",
  });
});

it.each([
  ["name", { lastName: "Villalobos" }],
  ["given name", { firstName: "Bertha" }],
  ["birth date", { dateOfBirth: "1990-01-30" }],
  ["sex", { gender: "M" }],
])("a document whose registry holds another %s differs", async (_, change) => {
  registry.hold("70275722", { fields: { ...held, ...change } });
  expect(await check(document, signal)).toBe("differs");
});

it("a document whose person is unknown differs; one whose registry has no identity field gives no answer", async () => {
  expect(await check({ ...document, number: "00000001" }, signal)).toBe("differs");
  registry.hold("70275722", { fields: { lastName: "...", address: "Jr. Puno 1" } });
  expect(await check(document, signal)).toBeUndefined();
});

it.each(["upstream_failed", "timed_out"] as const)(
  "a registry that fails with %s is silent",
  async (code) => {
    registry.hold("70275722", new Failure(code));
    expect(await check(document, signal)).toBe("silent");
    expect(errors).toEqual([]);
  },
);

it("another failure is silence too, and the operator gets it", async () => {
  registry.hold("70275722", new Failure("stored_damaged"));
  expect(await check(document, signal)).toBe("silent");
  expect(errors).toMatchObject([{ code: "stored_damaged" }]);
});

it("asks nothing for a live key without registry, another country, or what the document does not show", async () => {
  const unasked: readonly Partial<RegistryQuestion>[] = [
    { owner: { tenantId, environment: "live" } },
    { country: "CHL" },
    { number: "7027572" },
    { isPassport: true },
    { country: "ECU", number: "1710034065" },
    { country: "ARG", number: "30123456", sex: null },
    { country: "ARG", number: "30123456", sex: "X" },
  ];
  for (const change of unasked) expect(await check({ ...document, ...change }, signal)).toBeUndefined();
  expect(registry.questions).toEqual([]);
});

it("asks by the personal number of a passport, and with the code and the sex that a country needs", async () => {
  await check({ ...document, isPassport: true, number: "123456789", personalNumber: "70275722" }, signal);
  await check({ ...document, country: "ECU", number: "1710034065", documentCode: "V1234I5678" }, signal);
  await check({ ...document, country: "ARG", number: "30123456" }, signal);
  expect(registry.questions).toMatchObject([
    { documentNumber: "70275722" },
    { country: "ECU", documentCode: "V1234I5678" },
    { country: "ARG", gender: "F" },
  ]);
});

it("a question that no registry answers leaves no evidence", async () => {
  const find = steerRegistry(
    () => undefined,
    [{ country: "HND", number: "0801199090001", answer: { kind: "unknown" } }],
  );
  const deps = askDepsOf(storage, find);
  const rows = () => operations.query("select 1 from evidence_bodies").length;
  const before = rows();
  const asked = { at: new Date(), day: "2026-11-26", purpose: "civilValidation" } as const;
  const question = { tenantId, environment: "test", transactionId: randomUUID(), country: "HND" } as const;
  const unknown = { ...question, documentNumber: "0801199012345" };
  await expect(askRegistry(deps, unknown, asked, signal)).rejects.toMatchObject({
    code: "registry_not_configured",
  });
  expect(rows()).toBe(before);
  const known = await askRegistry(deps, { ...question, documentNumber: "0801199090001" }, asked, signal);
  expect([known.kind, rows()]).toEqual(["unknown", before + 1]);
});

import { describe, expect, it } from "vitest";
import type { Module } from "./module.ts";
import { roles } from "./module.ts";
import { partOf, refusalOf } from "./roles.ts";

const job = { start: () => undefined, stop: async () => undefined };
const validations: Module = {
  name: "document",
  endpoints: [],
  readiness: [],
  jobs: [job],
  tidying: [async () => undefined],
  gauges: [],
  close: async () => undefined,
};
const webhooks: Module = { ...validations, name: "webhooks", jobsOf: "delivery" };

const partsOf = (module: Module, role: (typeof roles)[number] | undefined) =>
  Object.keys(partOf(module, role)).toSorted();

const common = ["close", "gauges", "name", "readiness"];

describe("a process", () => {
  it("without a role does everything", () => {
    expect(partOf(webhooks, undefined)).toBe(webhooks);
  });

  it("of the role api answers callers and runs no job", () => {
    for (const module of [validations, webhooks]) {
      expect(partsOf(module, "api")).toEqual([...common, "endpoints"].toSorted());
    }
  });

  it("of the role worker analyses and tidies", () => {
    expect(partsOf(validations, "worker")).toEqual([...common, "jobs", "tidying"].toSorted());
    expect(partsOf(webhooks, "worker")).toEqual([...common, "tidying"].toSorted());
  });

  it("of the role delivery sends events alone", () => {
    expect(partsOf(validations, "delivery")).toEqual(common);
    expect(partsOf(webhooks, "delivery")).toEqual([...common, "jobs"].toSorted());
  });
});

describe("a role", () => {
  it.each(roles)("%s is refused on the embedded store, with the next step", (role) => {
    expect(refusalOf(role, {})).toMatch(/^--role \w+ needs PostgreSQL: set IDEM_DATABASE_URL\./);
    expect(refusalOf(role, { databaseUrl: "postgres://host/database" })).toBeUndefined();
  });

  it("is not needed on the embedded store", () => {
    expect(refusalOf(undefined, {})).toBeUndefined();
  });
});

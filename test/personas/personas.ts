/**
 * Runs personas against a service in a process of its own, through its API, and compares the events that
 * follow.
 */
import { beforeAll, expect, it } from "vitest";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import type { Persona } from "#sandbox/personas/persona";
import { openTenant } from "../harness/tenant.ts";
import { wayOf } from "./decided-documents.ts";
import { createMailbox, eventsOf, eventTables, statedBy } from "./mailbox-events.ts";
import { operationOf, runPersona, showPersona, type Target } from "./run-persona.ts";

/** A drawing takes seconds of a processor, and a validation some more. */
export const patientMs = 180_000;

/** One persona of each way; with LONG_TESTS=1 every persona. */
const tested: readonly Persona[] =
  process.env["LONG_TESTS"] === "1"
    ? personas
    : [...Map.groupBy(personas, wayOf).values()].flatMap(([first]) => first ?? []);

/** Tests the personas of these names: their answers and events are those that they promise. */
export const testPersonas = (ofName: RegExp): void => {
  let tenant: Target;
  beforeAll(async () => {
    tenant = await openTenant();
    await createMailbox(tenant);
  });
  testPersonasOf(() => tenant, ofName);
};

/** The same for a tenant that has a mailbox already. */
export const testPersonasOf = (target: () => Target, ofName: RegExp): void => {
  it.each(tested.filter(({ name }) => ofName.test(name)))(
    "$name answers what it promises, and states its events",
    async ({ name, produces }) => {
      const persona = await showPersona(target(), name);
      expect(await runPersona(target(), persona)).toEqual([]);
      const promised = produces
        .filter(({ table }) => eventTables.includes(table))
        .map(({ table, value }) => `${table} ${value}`);
      if (promised.length === 0) return;
      const operation = operationOf(persona.calls);
      await expect
        .poll(async () => statedBy(await eventsOf(target(), operation)), { timeout: patientMs / 2 })
        .toEqual(expect.arrayContaining(promised));
    },
    patientMs,
  );
};

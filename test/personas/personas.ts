/** Runs personas against a service in a process of its own, through its API. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServiceProcess, startService } from "#cli/serve/service-process";
import { personas } from "#sandbox/personas/catalogue/catalogue";
import { runPersona, settings, showPersona } from "./run-persona.ts";

/** A drawing takes seconds of a processor, and a validation some more. */
const patientMs = 180_000;

/** Tests each persona of these names: its answers are those that it promises. */
export const testPersonas = (ofName: RegExp): void => {
  let folder = "";
  let service: ServiceProcess;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "idem-personas-"));
    service = await startService(folder, settings);
  }, patientMs);
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const names = personas.map(({ name }) => name).filter((name) => ofName.test(name));
  it.each(names)(
    "%s answers what it promises",
    async (name) => {
      expect(await runPersona(service, await showPersona(service, name))).toEqual([]);
    },
    patientMs,
  );
};

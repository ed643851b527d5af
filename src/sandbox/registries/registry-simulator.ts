import { personAt } from "../persons/persons.ts";
import { personsPerCountry, type SandboxCountry, type SandboxPerson } from "../persons/sandbox-person.ts";
import type { Faults } from "../simulator/faults.ts";
import type { SimulatorRequest, SimulatorSpec } from "../simulator/simulator.ts";
import { argentinaRegistry } from "./forms/argentina.ts";
import { costaRicaRegistry } from "./forms/costa-rica.ts";
import { ecuadorRegistry } from "./forms/ecuador.ts";
import { guatemalaRegistry } from "./forms/guatemala.ts";
import { hondurasRegistry } from "./forms/honduras.ts";
import { panamaRegistry } from "./forms/panama.ts";
import { peruRegistry } from "./forms/peru.ts";
import type { AskedPerson, RegistryForm } from "./registry-form.ts";

/** In the order of the interface. */
export const registryForms: readonly RegistryForm[] = [
  ecuadorRegistry,
  costaRicaRegistry,
  argentinaRegistry,
  peruRegistry,
  guatemalaRegistry,
  panamaRegistry,
  hondurasRegistry,
];

/**
 * An encoded photo of a person: of the face alone, of two faces, or of none. Drawn when asked, or undefined
 * where it cannot be.
 */
export type PhotoOf = (
  person: SandboxPerson,
  kind: "portrait" | "two-faces" | "no-face",
) => Promise<Uint8Array | undefined>;

export type RegistryDeps = {
  readonly findPerson: (country: SandboxCountry, number: string) => SandboxPerson | undefined;
  readonly photoOf: PhotoOf;
  /** Whether the value of an Authorization or key header is the key of the sandbox. */
  readonly isCaller: (form: RegistryForm, request: SimulatorRequest) => boolean;
};

/** A registry that answers in its country's form about the generated persons. */
export const registrySpec = (form: RegistryForm, deps: RegistryDeps): SimulatorSpec => ({
  name: form.name,
  answer: async (request, faults) => {
    if (!deps.isCaller(form, request)) return { status: 401, body: { error: "unauthorized" } };
    if (request.method !== form.request.method) return { status: 405, body: { error: "method" } };
    const asked = form.readAsked(request);
    if (asked === undefined) return { status: 400, body: { error: "bad request" } };
    const found = deps.findPerson(form.country, asked.documentNumber);
    if (found === undefined || !isSame(found, asked)) return form.unknown;
    const person = altered(found, faults);
    const photo = await deps.photoOf(person, photoKind(faults));
    return {
      status: 200,
      body: form.describe(person, photo && Buffer.from(photo).toString("base64")),
    };
  },
});

/**
 * If the caller sends code or sex, they must be correct for the person. The code is part of the question in
 * Ecuador.
 */
const isSame = (person: SandboxPerson, { documentCode, gender }: AskedPerson): boolean =>
  (gender === undefined || gender === person.gender) &&
  (documentCode === undefined ? person.country !== "ECU" : documentCode === person.documentCode);

const altered = (person: SandboxPerson, faults: Faults): SandboxPerson => {
  const one = faults.otherPerson === true ? personAt(person.country, nextIndex(person)) : person;
  return faults.futureDate === true ? { ...one, dateOfBirth: "2199-01-01" } : one;
};

const nextIndex = ({ index }: SandboxPerson): number => (index + 1) % personsPerCountry;

const photoKind = ({ twoFaces, noFace }: Faults): "portrait" | "two-faces" | "no-face" =>
  noFace === true ? "no-face" : twoFaces === true ? "two-faces" : "portrait";

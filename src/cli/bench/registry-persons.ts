import type { ListedPerson } from "#features/registry/local/import-persons";
import type { RegistryOwner } from "#features/registry/store/registry-person";

/** Names of a generated list; a few of each are enough to measure. */
const givenNames = ["ANA MARÍA", "LUIS ALBERTO", "CARMEN", "JOSÉ ÁNGEL", "SOFÍA", "NÚÑEZ"] as const;
const surnames = ["PRUEBA ENSAYO", "FICTICIO", "DE LA MUESTRA", "SINTÉTICO EJEMPLO"] as const;

const pad = (n: number, length: number): string => String(n).padStart(length, "0");

/** The canonical number of the nth person: Honduras has numbers without a check digit. */
export const personNumber = (n: number): string => {
  const [sequence, rest] = [n % 100_000, Math.floor(n / 100_000)];
  return `0801${1950 + (rest % 60)}${pad(sequence, 5)}`;
};

/** A list of generated persons of Honduras, in the order of their numbers. */
export async function* generatedPersons(count: number, photo?: string): AsyncGenerator<ListedPerson> {
  for (let n = 0; n < count; n++) {
    const cells = {
      documentNumber: personNumber(n),
      firstName: givenNames[n % givenNames.length],
      lastName: surnames[n % surnames.length],
      dateOfBirth: `${1950 + (n % 55)}-${pad((n % 12) + 1, 2)}-${pad((n % 28) + 1, 2)}`,
      gender: n % 2 === 0 ? "F" : "M",
      nationality: "HND",
      civilStatus: "SOLTERO",
      address: `CALLE FICTICIA ${n}, BARRIO DE PRUEBA`,
      city: "TEGUCIGALPA",
      ...(photo !== undefined && { photo }),
    };
    yield { line: n + 1, cells };
  }
}

/** The registry that is measured. */
export const measuredOwner = (tenantId: string): RegistryOwner => ({
  tenantId,
  environment: "test",
  country: "HND",
});

import { type CivilResult, civilCode } from "#contract/civil-code";
import type { RegistryPerson } from "#features/registry/registry";
import type { Persona } from "../persona.ts";
import type { SteeredRegistry } from "../steer-registry.ts";
import { passport } from "./documents.ts";

const country = "HND";

/** The holder of the drawn passport, as a registry that agrees holds the person. */
const holder: RegistryPerson["fields"] = {
  lastName: "MUÑOZ PRUEBA",
  firstName: "FRANCO ANDRÉS",
  dateOfBirth: "1980-03-14",
  gender: "M",
};

type Row = {
  readonly name: string;
  readonly story: string;
  readonly result: CivilResult;
  /** A field that has the result. */
  readonly field: string;
  readonly answer: SteeredRegistry["answer"];
};

const person = (fields: RegistryPerson["fields"]): SteeredRegistry["answer"] => ({
  kind: "person",
  person: { fields },
});

const { dateOfBirth: _, ...withoutBirth } = holder;

const rows: readonly Row[] = [
  {
    name: "agrees",
    story: "The registry holds the holder of the passport.",
    result: "agrees",
    field: "lastName",
    answer: person(holder),
  },
  {
    name: "similar",
    story: "The registry holds one given name less.",
    result: "similar",
    field: "firstName",
    answer: person({ ...holder, firstName: "FRANCO" }),
  },
  {
    name: "different",
    story: "The registry holds another surname.",
    result: "different",
    field: "lastName",
    answer: person({ ...holder, lastName: "ROJAS EJEMPLO" }),
  },
  {
    name: "not-provided",
    story: "The registry holds an address, which the passport does not show.",
    result: "notProvided",
    field: "address",
    answer: person({ ...holder, address: "Calle Inventada 12" }),
  },
  {
    name: "not-held",
    story: "The registry holds no birth date.",
    result: "notHeld",
    field: "dateOfBirth",
    answer: person(withoutBirth),
  },
  {
    name: "unknown-person",
    story: "The registry has no person with the number.",
    result: "unknownPerson",
    field: "lastName",
    answer: { kind: "unknown" },
  },
  {
    name: "not-comparable",
    story: "The registry holds a birth date in the future.",
    result: "notComparable",
    field: "dateOfBirth",
    answer: person({ ...holder, dateOfBirth: "2190-01-01" }),
  },
];

/** Outages of a registry. */
const outages = [
  ["registry-fails", "The registry answers what no mapping accepts.", "upstream_failed", 502],
  ["registry-silent", "The registry does not answer in time.", "timed_out", 504],
] as const;

/** A number of Honduras for each persona: department, municipality, year and serial. */
const numberOf = (at: number): string => `080119909${String(at).padStart(4, "0")}`;

const civilPersona = (
  name: string,
  story: string,
  at: number,
  about: Pick<Persona, "produces"> & Pick<Persona["calls"][number], "expected" | "civil" | "status">,
): Persona => {
  const { produces, ...expected } = about;
  return {
    name: `civil-${name}`,
    story: `${story} The document number ${numberOf(at)} asks for the answer.`,
    produces,
    images: { front: { drawing: passport("a passport of Honduras") } },
    calls: [
      {
        name: "civil",
        route: "civilValidation",
        fields: { operation: "DATA", platform: "MOBILE", countryCode: country, documentNumber: numberOf(at) },
        images: { tokenOcr: "front" },
        ...expected,
      },
    ],
    steeredBy: "the document number",
  };
};

/** Personas of the results of civil validation. */
export const civilPersonas: readonly Persona[] = [
  ...rows.map(({ name, story, result, field }, at) =>
    civilPersona(name, story, at + 1, {
      produces: [{ table: "civil", value: civilCode[result].code }],
      expected: {},
      civil: { field, code: civilCode[result].code },
    }),
  ),
  ...outages.map(([name, story, , status], at) =>
    civilPersona(name, story, rows.length + at + 1, {
      produces: [{ table: "outage", value: status }],
      expected: {},
      status,
    }),
  ),
];

/** What the registries of test keys answer for the numbers of personas. */
export const steeredRegistries: readonly SteeredRegistry[] = [
  ...rows.map(({ answer }, at) => ({ country, number: numberOf(at + 1), answer }) as const),
  ...outages.map(([, , code], at) => {
    const answer = { kind: "failure", code } as const;
    return { country, number: numberOf(rows.length + at + 1), answer } as const;
  }),
];

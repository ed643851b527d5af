import type { SandboxPerson, sandboxRegistryCountries } from "../persons/sandbox-person.ts";
import type { SimulatorAnswer, SimulatorRequest } from "../simulator/simulator.ts";

/** What a caller asks a registry. */
export type AskedPerson = {
  readonly documentNumber: string;
  readonly documentCode?: string | undefined;
  readonly gender?: string | undefined;
};

/**
 * Where the service finds a value in the answer; the form of `answer.fields` in the settings of registries.
 */
export type FieldPlaces = Readonly<
  Record<
    string,
    | string
    | readonly string[]
    | { readonly from: string; readonly format?: string; readonly values?: Readonly<Record<string, string>> }
  >
>;

/**
 * One simulated registry: how it is asked, and how it answers, in its own words. The form is of our design.
 */
export type RegistryForm = {
  readonly country: (typeof sandboxRegistryCountries)[number];
  readonly name: string;
  /** How a caller proves who it is; `key` names the header. */
  readonly auth: { readonly kind: "key"; readonly header: string } | { readonly kind: "basic" | "oauth2" };
  readonly request: {
    readonly method: "GET" | "POST";
    /** Path and query with the variables of the settings of registries. */
    readonly path: string;
    readonly body?: Readonly<Record<string, string>>;
  };
  /** Undefined for a request that is not of this form: 400. */
  readonly readAsked: (request: SimulatorRequest) => AskedPerson | undefined;
  /** The person in the registry's words; the photo in Base64. */
  readonly describe: (person: SandboxPerson, photo: string | undefined) => unknown;
  readonly unknown: SimulatorAnswer;
  /** What says that nothing was found, for the settings. */
  readonly unknownRule: Readonly<Record<string, unknown>>;
  readonly fields: FieldPlaces;
};

/** A text of a JSON object; undefined where there is none. */
export const textOf = (body: unknown, name: string): string | undefined => {
  if (typeof body !== "object" || body === null) return undefined;
  const value: unknown = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof value === "string" && value.length <= 100 ? value : undefined;
};

/** The date in another order of its parts: `DD/MM/YYYY`, `YYYYMMDD`. */
export const written = (date: string, format: string): string =>
  format.replace("YYYY", date.slice(0, 4)).replace("MM", date.slice(5, 7)).replace("DD", date.slice(8, 10));

/** A word that depends on the sex: SOLTERO, SOLTERA. */
export const civilWord = (
  { civilStatus, gender }: Pick<SandboxPerson, "civilStatus" | "gender">,
  words: Readonly<Record<SandboxPerson["civilStatus"], string>>,
): string => (gender === "F" ? words[civilStatus].replace(/O$/, "A") : words[civilStatus]);

export const civilWords = {
  single: "SOLTERO",
  married: "CASADO",
  divorced: "DIVORCIADO",
  widowed: "VIUDO",
} as const;

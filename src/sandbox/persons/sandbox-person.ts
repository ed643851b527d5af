import type { RegistryCountry } from "#features/registry/registry";
import type { CardHolder } from "../specimen/cards/card-holder.ts";

/** Countries with persons in the sandbox: those whose civil registry can be asked, and Chile. */
export const sandboxCountries = ["ECU", "CRI", "ARG", "PER", "GTM", "PAN", "HND", "CHL"] as const;

export type SandboxCountry = (typeof sandboxCountries)[number];

/** The seven countries with a simulated registry. The compiler refuses a registry that the sandbox lacks. */
export const sandboxRegistryCountries = [
  "ECU",
  "CRI",
  "ARG",
  "PER",
  "GTM",
  "PAN",
  "HND",
] as const satisfies readonly RegistryCountry[];

/**
 * Whose face a person shows: drawn from a seed, or the men of the demo, whose images are read from a
 * development dependency.
 */
export type SandboxFace =
  | { readonly kind: "drawn"; readonly seed: number }
  | { readonly kind: "photograph"; readonly of: "holder" | "impostor" };

/**
 * A person who does not exist: what the card states, and more. Names are written as registries write them.
 */
export type SandboxPerson = CardHolder & {
  readonly country: SandboxCountry;
  /** The place in the country's list, from 0. */
  readonly index: number;
  /** ISO 3166-1 alpha-3. */
  readonly nationality: SandboxCountry;
  readonly face: SandboxFace;
};

/** How many persons each country has. */
export const personsPerCountry = 5000;

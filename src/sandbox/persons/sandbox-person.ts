import type { RegistryCountry } from "#registry/registry";

/** Countries with persons in the sandbox: those whose civil registry can be asked, and Chile. */
export const sandboxCountries = ["ECU", "CRI", "ARG", "PER", "GTM", "PAN", "HND", "CHL"] as const;

export type SandboxCountry = (typeof sandboxCountries)[number];

/** The seven countries with a simulated registry; a compile error where the registries have one that the sandbox lacks. */
export const sandboxRegistryCountries = [
  "ECU",
  "CRI",
  "ARG",
  "PER",
  "GTM",
  "PAN",
  "HND",
] as const satisfies readonly RegistryCountry[];

export type CivilStatus = "single" | "married" | "divorced" | "widowed";

/**
 * Whose face a person shows: drawn from a seed, or the men of the demo, whose images are read from a development dependency.
 */
export type SandboxFace =
  | { readonly kind: "drawn"; readonly seed: number }
  | { readonly kind: "photograph"; readonly of: "holder" | "impostor" };

/** A person who does not exist. Dates are YYYY-MM-DD; names are capitals with accents, as registries write them. */
export type SandboxPerson = {
  readonly country: SandboxCountry;
  /** The place in the country's list, from 0. */
  readonly index: number;
  /** In the canonical form of the country's number rule. */
  readonly documentNumber: string;
  /** As cards print it. */
  readonly printedNumber: string;
  /** Código dactilar (ECU), número de trámite (ARG). */
  readonly documentCode?: string;
  /** Serial number of the card (CHL, ECU, HND, CRI). */
  readonly cardSerial: string;
  readonly givenNames: readonly [string, string];
  readonly surnames: readonly [string, string];
  readonly dateOfBirth: string;
  readonly gender: "M" | "F";
  /** ISO 3166-1 alpha-3. */
  readonly nationality: SandboxCountry;
  readonly civilStatus: CivilStatus;
  readonly spouseName?: string;
  readonly fatherName: string;
  readonly motherName: string;
  readonly address: string;
  readonly city: string;
  readonly province: string;
  /** The code of the place of registration in the country's own list. */
  readonly placeCode: string;
  readonly issueDate: string;
  readonly expiryDate: string;
  readonly face: SandboxFace;
};

/** How many persons each country has. */
export const personsPerCountry = 5000;

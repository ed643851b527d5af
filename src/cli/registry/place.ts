import { registryCountries } from "#contract/country";
import type { Environment, RegistryCountry } from "#features/registry/registry";
import { UsageError } from "../command.ts";

const whichCountry = `Name the country: --country ${registryCountries.join(" | ")}`;

/** Options that name a registry of a tenant. */
export const placeOptions = {
  country: {
    type: "string",
    needed: whichCountry,
    read: (text: string): RegistryCountry => {
      const country = registryCountries.find((known) => known === text.toUpperCase());
      if (country === undefined) throw new UsageError(whichCountry);
      return country;
    },
    says: "country of the registry",
  },
  test: { type: "boolean", says: "for test keys; --live for live keys" },
  live: { type: "boolean" },
} as const;

/** Exactly one environment: the two never mix. */
export const environmentOf = ({
  test,
  live,
}: {
  readonly test: boolean;
  readonly live: boolean;
}): Environment => {
  if (test === live) throw new UsageError("Name the environment: --test or --live");
  return live ? "live" : "test";
};

import type { RegistryCountry } from "../registry.ts";
import { argentina } from "./argentina.ts";
import { costaRica } from "./costa-rica.ts";
import type { CountryRegistry } from "./country-registry.ts";
import { ecuador } from "./ecuador.ts";
import { guatemala } from "./guatemala.ts";
import { honduras } from "./honduras.ts";
import { panama } from "./panama.ts";
import { peru } from "./peru.ts";

const countries: Readonly<Record<RegistryCountry, CountryRegistry>> = {
  ECU: ecuador,
  CRI: costaRica,
  ARG: argentina,
  PER: peru,
  GTM: guatemala,
  PAN: panama,
  HND: honduras,
};

/** What is particular to the registry of a country. */
export const registryOf = (country: RegistryCountry): CountryRegistry => countries[country];

/** Whether a code names a country whose registry can be asked. */
export const isRegistryCountry = (code: string): code is RegistryCountry => Object.hasOwn(countries, code);

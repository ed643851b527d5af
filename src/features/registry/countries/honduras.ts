import { type CountryRegistry, commonSources } from "./country-registry.ts";

/**
 * Registro Nacional de las Personas of Honduras: DNI. The MRZ of the card holds a serial number in its place.
 */
export const honduras: CountryRegistry = {
  country: "HND",
  numbers: [{ rule: "hnd.dni" }],
  takesGender: false,
  takesBestImage: false,
  nameOrder: "given-first",
  sources: commonSources,
};

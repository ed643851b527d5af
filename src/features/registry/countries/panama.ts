import { type CountryRegistry, commonSources } from "./country-registry.ts";

/** Tribunal Electoral of Panama: cédula with its hyphens, for a face the best image. */
export const panama: CountryRegistry = {
  country: "PAN",
  numbers: [{ rule: "pan.cedula" }],
  takesGender: false,
  takesBestImage: true,
  nameOrder: "given-first",
  sources: { ...commonSources, issueDate: ["dateOfIssue"] },
};

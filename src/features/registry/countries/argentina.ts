import { type CountryRegistry, commonSources } from "./country-registry.ts";

/** RENAPER of Argentina: DNI and sex, for a face the best image; the número de trámite where it is given. */
export const argentina: CountryRegistry = {
  country: "ARG",
  numbers: [{ rule: "arg.dni" }],
  documentCode: "arg.tramite",
  takesGender: true,
  takesBestImage: true,
  nameOrder: "surnames-first",
  sources: { ...commonSources, address: ["address"], issueDate: ["dateOfIssue"] },
};

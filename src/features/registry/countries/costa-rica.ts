import { type CountryRegistry, commonSources } from "./country-registry.ts";

/**
 * Tribunal Supremo de Elecciones of Costa Rica: cédula or DIMEX. Cards of 2016 print the electoral domicile
 * and the parents; those of 2025 print neither.
 */
export const costaRica: CountryRegistry = {
  country: "CRI",
  numbers: [{ rule: "cri.cedula" }, { rule: "cri.dimex" }],
  takesGender: false,
  takesBestImage: false,
  nameOrder: "given-first",
  sources: {
    ...commonSources,
    address: ["address"],
    city: ["district"],
    province: ["province"],
    motherName: ["motherName"],
    fatherName: ["fatherName"],
  },
};

import { type CountryRegistry, commonSources } from "./country-registry.ts";

/**
 * Registro Civil of Ecuador: NUI and código dactilar. Older cards print civil status, parents and spouse on
 * the back.
 */
export const ecuador: CountryRegistry = {
  country: "ECU",
  numbers: [{ rule: "ecu.nui" }],
  documentCode: "ecu.dactilar",
  requiresCode: true,
  takesGender: false,
  takesBestImage: false,
  nameOrder: "surnames-first",
  sources: {
    ...commonSources,
    civilStatus: ["civilStatus"],
    issueDate: ["dateOfIssue"],
    spouseName: ["spouseName"],
    motherName: ["motherName"],
    fatherName: ["fatherName"],
  },
};

import { type CountryRegistry, commonSources } from "./country-registry.ts";

/** RENAP of Guatemala: CUI. Long names are printed cut: a missing further name is no difference. */
export const guatemala: CountryRegistry = {
  country: "GTM",
  numbers: [{ rule: "gtm.cui" }],
  takesGender: false,
  takesBestImage: false,
  nameOrder: "given-first",
  sources: {
    ...commonSources,
    civilStatus: ["civilStatus"],
    address: ["address"],
    issueDate: ["dateOfIssue"],
  },
};

import { type CountryRegistry, commonSources } from "./country-registry.ts";

/**
 * RENIEC of Peru: the eight digits of the DNI, whose ninth character is checked and dropped, or a carné de
 * extranjería. Nine digits with a separator before the last are a DNI, without one either of both.
 */
export const peru: CountryRegistry = {
  country: "PER",
  numbers: [{ rule: "per.dni" }, { rule: "per.ce", written: /^\s*\d{9,12}\s*$/ }],
  takesGender: false,
  takesBestImage: false,
  nameOrder: "surnames-first",
  sources: {
    ...commonSources,
    civilStatus: ["civilStatus"],
    address: ["address"],
    city: ["district"],
    province: ["province"],
    issueDate: ["dateOfIssue"],
  },
};

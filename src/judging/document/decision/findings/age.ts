import { dayInCountry } from "../../values/country-day.ts";
import { dayOf, yearsBetween } from "../../values/dates.ts";
import type { DocumentCase, FindingRule } from "../finding.ts";
import { ageCodes } from "../policy.ts";
import { isBirthDigital } from "../trust-level.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The holder is younger than the operator's limit (530 to 536). Evaluated only where the operator set a
 * limit, and only for a birth date from an accepted MRZ or a barcode. Years are counted at the issuing
 * country's date. An incomplete date counts as its latest possible day.
 */
export const ageRule: FindingRule = (document) => {
  const limit = document.policy.ageYearsMin;
  if (limit === undefined) {
    return [];
  }
  const birth = latestBirthDay(document);
  const age =
    birth === undefined || !isBirthDigital(document.fields)
      ? undefined
      : yearsBetween(birth, dayInCountry(document.now, document.fields.values.issuer?.value));
  return [
    finding({
      name: "too-young",
      stage: "age",
      code: ageCodes[limit],
      consequence: "decline",
      neededForApproval: true,
      holds: age === undefined ? "unknown" : age < limit,
      evidence: { yearsMin: limit },
    }),
  ];
};

const latestBirthDay = ({ fields }: DocumentCase): string | undefined => {
  const known = fields.values.dateOfBirth?.value;
  const inMrz = fields.mrz?.fields.birth.date;
  if (known !== undefined) {
    // Print has another century than the MRZ's newest possible one: the holder is a hundred, or the print was
    // changed.
    return inMrz !== undefined && inMrz > known && inMrz.slice(2) === known.slice(2) ? undefined : known;
  }
  const year = fields.mrz?.fields.birth.year;
  const month = /^\d{2}(0[1-9]|1[0-2])/.exec(fields.mrz?.fields.birth.text ?? "")?.[1];
  if (year === undefined) {
    return undefined;
  }
  const lastDay = new Date(Date.UTC(year, month === undefined ? 12 : Number(month), 0));
  return dayOf(lastDay);
};

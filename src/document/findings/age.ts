import { dayOf, yearsBetween } from "../dates.ts";
import type { DocumentCase, Question } from "../finding.ts";
import { ageCodes } from "../policy.ts";
import { finding } from "./answer.ts";

/**
 * Is the holder old enough (530 to 536)? Asked only where the operator set a limit, and only of a birth date that
 * the zone or the barcode vouches for. Of an incomplete date the latest possible day counts.
 */
export const askAge: Question = (document) => {
  const limit = document.policy.ageYearsMin;
  if (limit === undefined) {
    return [];
  }
  const birth = latestBirthDay(document);
  const isVouched = isVouchedFor(document);
  const age = birth === undefined || !isVouched ? undefined : yearsBetween(birth, dayOf(document.now));
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

/** The zone or a symbol says the date; the print alone may be misread. */
const isVouchedFor = ({ fields }: DocumentCase): boolean => {
  const sources = fields.values.dateOfBirth?.sources ?? fields.values.yearOfBirth?.sources ?? [];
  return (sources.includes("mrz") && fields.mrz?.sighting.accepted === true) || sources.includes("barcode");
};

const latestBirthDay = ({ fields }: DocumentCase): string | undefined => {
  const known = fields.values.dateOfBirth?.value;
  const inZone = fields.mrz?.fields.birth.date;
  if (known !== undefined) {
    // The print names another century than the zone's newest: a hundred years of age, or a changed print.
    return inZone !== undefined && inZone > known && inZone.slice(2) === known.slice(2) ? undefined : known;
  }
  const year = fields.mrz?.fields.birth.year;
  const month = /^\d{2}(0[1-9]|1[0-2])/.exec(fields.mrz?.fields.birth.text ?? "")?.[1];
  if (year === undefined) {
    return undefined;
  }
  const lastDay = new Date(Date.UTC(year, month === undefined ? 12 : Number(month), 0));
  return dayOf(lastDay);
};

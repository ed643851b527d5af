import type { AamvaLicence } from "./aamva.ts";
import { valueOf } from "./aamva-elements.ts";
import { jurisdictionOf } from "./aamva-jurisdictions.ts";

/** What a licence cannot be right with. */
export type AamvaFault =
  | "incomplete"
  | "date-impossible"
  | "dates-out-of-order"
  | "age-limit-contradicts-birth"
  | "state-contradicts-issuer";

/** Without these nothing of the holder is known; every version has them. */
const isIncomplete = (licence: AamvaLicence): boolean =>
  licence.documentNumber === undefined ||
  (licence.lastName ?? licence.firstName) === undefined ||
  licence.elements["DBB"] === undefined ||
  licence.elements["DBA"] === undefined;

const dateElements = ["DBA", "DBB", "DBD", "DDH", "DDI", "DDJ"] as const;

const hasImpossibleDate = (licence: AamvaLicence): boolean => {
  const dates = [
    licence.dateOfExpiry,
    licence.dateOfBirth,
    licence.dateOfIssue,
    licence.under18Until,
    licence.under19Until,
    licence.under21Until,
  ];
  return dateElements.some((name, i) => {
    const value = valueOf(licence.elements, name);
    return value !== undefined && /\d/.test(value) && dates[i] === undefined;
  });
};

const yearsAfter = (date: string, years: number): string =>
  `${Number(date.slice(0, 4)) + years}${date.slice(4)}`;

/** A birthday of 29 February may be given as the first of March or the day before. */
const isAgeLimit = (until: string | undefined, birth: string | undefined, years: number): boolean =>
  until === undefined ||
  birth === undefined ||
  until === yearsAfter(birth, years) ||
  (birth.endsWith("-02-29") && /-0(2-28|3-01)$/.test(until));

const inOrder = ({ dateOfBirth, dateOfIssue, dateOfExpiry }: AamvaLicence): boolean => {
  const dates = [dateOfBirth, dateOfIssue, dateOfExpiry].filter((date) => date !== undefined);
  return dates.every((date, i) => i === 0 || dates[i - 1]! < date);
};

/**
 * What contradicts itself inside one licence. `date-impossible` and `incomplete` also come from a damaged reading; the
 * issuer's list is no standard's text, so `state-contradicts-issuer` may only warn.
 */
export const aamvaFaults = (licence: AamvaLicence): readonly AamvaFault[] => {
  const { under18Until, under19Until, under21Until, dateOfBirth, state, iin } = licence;
  const issuer = jurisdictionOf(iin);
  const areLimits =
    isAgeLimit(under18Until, dateOfBirth, 18) &&
    isAgeLimit(under19Until, dateOfBirth, 19) &&
    isAgeLimit(under21Until, dateOfBirth, 21);
  const faults: readonly (readonly [AamvaFault, boolean])[] = [
    ["incomplete", isIncomplete(licence)],
    ["date-impossible", hasImpossibleDate(licence)],
    ["dates-out-of-order", !inOrder(licence)],
    ["age-limit-contradicts-birth", !areLimits],
    ["state-contradicts-issuer", issuer !== undefined && state !== undefined && issuer.state !== state],
  ];
  return faults.flatMap(([fault, isSo]) => (isSo ? [fault] : []));
};

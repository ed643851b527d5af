import type { DocumentTypeRecord } from "#contract/document-type";
import { isCalendarDate } from "../../dates.ts";
import { alpha3Of } from "../alpha-2.ts";
import type { ToldDecision } from "../morphology-provider.ts";
import type { FoundDecision } from "./messages.ts";

const statuses: Readonly<Record<number, ToldDecision["status"]>> = {
  9001: "Approved",
  9102: "Declined",
  9103: "Resubmission",
  9104: "Expired/Abandoned",
  9121: "Review",
};

/** Kinds of the record; a residence permit is answered as the card that it is. */
const types: Readonly<Record<string, DocumentTypeRecord>> = {
  PASSPORT: "PASSPORT",
  DRIVERS_LICENSE: "DRIVING_LICENSE",
  ID_CARD: "ID_CARD",
  RESIDENCE_PERMIT: "ID_CARD",
  VISA: "VISA",
};

/**
 * A decision of the session API in plain words: countries alpha-3, dates YYYY-MM-DD, sexes M, F or X. A value of another
 * form is null. Undefined for a code that is no decision.
 */
export const toldDecisionOf = (found: FoundDecision): ToldDecision | undefined => {
  const status = statuses[found.code];
  return (
    status && {
      status,
      reason: textOf(found.reason),
      reasonCode: found.reasonCode ?? null,
      document: documentOf(found.document),
      person: personOf(found.person),
    }
  );
};

const documentOf = (document: FoundDecision["document"]): ToldDecision["document"] => ({
  type: types[document?.type ?? ""] ?? "UNSUPPORTED",
  country: countryOf(document?.country),
  number: textOf(document?.number),
  issued: dateOf(document?.validFrom),
  expires: dateOf(document?.validUntil),
  placeOfIssue: textOf(document?.placeOfIssue),
  issuedBy: textOf(document?.issuedBy),
});

const personOf = (person: FoundDecision["person"]): ToldDecision["person"] => ({
  firstName: textOf(person?.firstName),
  lastName: textOf(person?.lastName),
  nationality: countryOf(person?.nationality),
  sex: matching(person?.gender, /^[MFX]$/),
  dateOfBirth: dateOf(person?.dateOfBirth),
  yearOfBirth: matching(person?.yearOfBirth, /^\d{4}$/),
  idNumber: textOf(person?.idNumber),
  placeOfBirth: textOf(person?.placeOfBirth),
});

type Told = string | null | undefined;

const textOf = (told: Told): string | null => (told === undefined || told === "" ? null : told);

const matching = (told: Told, form: RegExp): string | null => (form.test(told ?? "") ? textOf(told) : null);

const dateOf = (told: Told): string | null => (isCalendarDate(told ?? "") ? textOf(told) : null);

const countryOf = (told: Told): string | null => alpha3Of(told ?? "") ?? null;

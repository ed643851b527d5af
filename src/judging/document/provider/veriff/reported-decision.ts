import { isCalendarDate } from "#contract/calendar-date";
import type { DocumentTypeRecord } from "#contract/document-type";
import type { ProviderDecision } from "../../validation/provider/document-provider.ts";
import { alpha3Of } from "../alpha-2.ts";
import type { FoundDecision } from "./messages.ts";

const statuses: Readonly<Record<number, ProviderDecision["status"]>> = {
  9001: "Approved",
  9102: "Declined",
  9103: "Resubmission",
  9104: "Expired/Abandoned",
  9121: "Review",
};

/** Document types of the record. A residence permit is recorded as an ID card. */
const types: Readonly<Record<string, DocumentTypeRecord>> = {
  PASSPORT: "PASSPORT",
  DRIVERS_LICENSE: "DRIVING_LICENSE",
  ID_CARD: "ID_CARD",
  RESIDENCE_PERMIT: "ID_CARD",
  VISA: "VISA",
};

/**
 * A decision of the session API in our formats: countries alpha-3, dates YYYY-MM-DD, sexes M, F or X. A value
 * of another format is null. Undefined if the code is no decision.
 */
export const providerDecisionOf = (found: FoundDecision): ProviderDecision | undefined => {
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

const documentOf = (document: FoundDecision["document"]): ProviderDecision["document"] => ({
  type: types[document?.type ?? ""] ?? "UNSUPPORTED",
  country: countryOf(document?.country),
  number: textOf(document?.number),
  issued: dateOf(document?.validFrom),
  expires: dateOf(document?.validUntil),
  placeOfIssue: textOf(document?.placeOfIssue),
  issuedBy: textOf(document?.issuedBy),
});

const personOf = (person: FoundDecision["person"]): ProviderDecision["person"] => ({
  firstName: textOf(person?.firstName),
  lastName: textOf(person?.lastName),
  nationality: countryOf(person?.nationality),
  sex: matching(person?.gender, /^[MFX]$/),
  dateOfBirth: dateOf(person?.dateOfBirth),
  yearOfBirth: matching(person?.yearOfBirth, /^\d{4}$/),
  idNumber: textOf(person?.idNumber),
  placeOfBirth: textOf(person?.placeOfBirth),
});

type Reported = string | null | undefined;

const textOf = (value: Reported): string | null => (value === undefined || value === "" ? null : value);

const matching = (value: Reported, form: RegExp): string | null =>
  form.test(value ?? "") ? textOf(value) : null;

const dateOf = (value: Reported): string | null => (isCalendarDate(value ?? "") ? textOf(value) : null);

const countryOf = (value: Reported): string | null => alpha3Of(value ?? "") ?? null;

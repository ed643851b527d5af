import type { Json } from "#contract/json";
import type { ExtractedDocument } from "../decision/extracted-document.ts";
import type { DocumentFields } from "../decision/fields.ts";
import { sideChecks } from "../decision/sides/side-checks.ts";
import { reportedValue } from "../decision/verification-record.ts";
import { nfcKeyOf } from "../reading/mrz/nfc-key.ts";

/**
 * `serviceDocument` of the mobile service: flat keys, null for texts that no source has. `DocumentCaptured`
 * names the country's model with its generation. `NfcKey` is set where that generation has a chip that the
 * MRZ opens.
 */
export const mobileDocument = ({ fields }: ExtractedDocument): { readonly [key: string]: Json } => {
  const first = reportedValue(fields, "firstName");
  const last = reportedValue(fields, "lastName");
  const checks = [...sideChecks(fields).values()];
  return {
    "Back/MRZ/FullName": fullNameInMrz(fields),
    FirstName: first,
    LastName: last,
    DateOfBirth: reportedValue(fields, "dateOfBirth"),
    DateOfExpiry: reportedValue(fields, "dateOfExpiry"),
    DateOfIssue: reportedValue(fields, "dateOfIssue"),
    DocumentNumber: reportedValue(fields, "documentNumber"),
    PersonalNumber: reportedValue(fields, "personalNumber"),
    Gender: reportedValue(fields, "sex"),
    Nationality: reportedValue(fields, "nationality"),
    Issuer: reportedValue(fields, "issuer"),
    ...(checks.length > 0 && { MatchingSidesScore: checks.filter(Boolean).length / checks.length }),
    NfcKey: nfcKey(fields),
    DocumentCaptured: fields.model?.id ?? null,
  };
};

/** Given names before surnames, as in the MRZ. */
const fullNameInMrz = ({ mrz }: DocumentFields): string | null => {
  if (mrz === undefined || !(mrz.summary.clear || mrz.summary.accepted)) {
    return null;
  }
  const { primary, secondary } = mrz.fields.names;
  return [secondary, primary].filter(Boolean).join(" ") || null;
};

/** The key from an accepted MRZ, else from the barcode that carries it (Chile). */
const nfcKey = ({ mrz, readBy, payloads }: DocumentFields): string | null => {
  if (readBy?.chip?.key !== "mrz") {
    return null;
  }
  const inBarcode = payloads.map(({ payload }) => payload.fields.accessKey).find((key) => key !== undefined);
  return (mrz?.summary.accepted === true ? nfcKeyOf(mrz.fields) : undefined) ?? inBarcode ?? null;
};

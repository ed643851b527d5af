import type { Json } from "#storage/store";
import type { ExtractedDocument } from "../extract-document.ts";
import type { DocumentFields } from "../fields.ts";
import { nfcKeyOf } from "../mrz/nfc-key.ts";
import { sureValue } from "../verification-record.ts";
import { sidesMatching } from "./sides-matching.ts";

/**
 * `serviceDocument` of the mobile service: flat keys, null for what no source told. `DocumentCaptured` names the country's
 * model with its generation, `NfcKey` is given where that generation has a chip that the zone opens.
 */
export const mobileDocument = ({ fields }: ExtractedDocument): { readonly [key: string]: Json } => {
  const first = sureValue(fields, "firstName");
  const last = sureValue(fields, "lastName");
  const { compared, matching } = sidesMatching(fields);
  return {
    "Back/MRZ/FullName": fullNameInZone(fields),
    FirstName: first,
    LastName: last,
    DateOfBirth: sureValue(fields, "dateOfBirth"),
    DateOfExpiry: sureValue(fields, "dateOfExpiry"),
    DateOfIssue: sureValue(fields, "dateOfIssue"),
    DocumentNumber: sureValue(fields, "documentNumber"),
    PersonalNumber: sureValue(fields, "personalNumber"),
    Gender: sureValue(fields, "sex"),
    Nationality: sureValue(fields, "nationality"),
    Issuer: sureValue(fields, "issuer"),
    MatchingSidesScore: compared.length === 0 ? null : matching.length / compared.length,
    NfcKey: nfcKey(fields),
    DocumentCaptured: fields.model?.id ?? null,
  };
};

/** Given names before surnames, as the zone has them. */
const fullNameInZone = ({ mrz }: DocumentFields): string | null => {
  if (mrz === undefined || !(mrz.sighting.clear || mrz.sighting.accepted)) {
    return null;
  }
  const { primary, secondary } = mrz.fields.names;
  return [secondary, primary].filter(Boolean).join(" ") || null;
};

/** From an accepted zone, else from the symbol that carries it (Chile). */
const nfcKey = ({ mrz, readBy, payloads }: DocumentFields): string | null => {
  if (readBy?.chip?.key !== "mrz") {
    return null;
  }
  const inSymbol = payloads.map(({ payload }) => payload.fields.accessKey).find((key) => key !== undefined);
  return (mrz?.sighting.accepted === true ? nfcKeyOf(mrz.fields) : undefined) ?? inSymbol ?? null;
};

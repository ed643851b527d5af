import type { Json } from "#storage/store";
import type { ExtractedDocument } from "../extract-document.ts";
import { nfcKeyOf } from "../mrz/nfc-key.ts";
import { sureValue } from "../verification-record.ts";
import { sidesMatching } from "./sides-matching.ts";

/**
 * `serviceDocument` of the mobile service: flat keys, null for what no source told. `NfcKey` only for passports: which
 * cards carry a chip is knowledge of their country's model. `DocumentCaptured` names a model, so it is null.
 */
export const mobileDocument = ({ fields }: ExtractedDocument): { readonly [key: string]: Json } => {
  const first = sureValue(fields, "firstName");
  const last = sureValue(fields, "lastName");
  const zone = fields.mrz;
  const isPassport = zone?.fields.format === "TD3" && zone.sighting.accepted;
  const { compared, matching } = sidesMatching(fields);
  return {
    "Back/MRZ/FullName": zone === undefined || last === null ? null : [first, last].filter(Boolean).join(" "),
    FirstName: first,
    LastName: last,
    DateOfBirth: sureValue(fields, "dateOfBirth"),
    DateOfExpiry: sureValue(fields, "dateOfExpiry"),
    DateOfIssue: sureValue(fields, "dateOfIssue"),
    DocumentNumber: sureValue(fields, "documentNumber"),
    Gender: sureValue(fields, "sex"),
    Nationality: sureValue(fields, "nationality"),
    Issuer: sureValue(fields, "issuer"),
    MatchingSidesScore: compared.length === 0 ? null : matching.length / compared.length,
    NfcKey: isPassport ? (nfcKeyOf(zone.fields) ?? null) : null,
    DocumentCaptured: null,
  };
};

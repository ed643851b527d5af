import { isCountryCode } from "#contract/country";
import type { DocumentFields } from "../fields.ts";
import type { DeclaredType, DocumentCase, Finding, FindingRule } from "../finding.ts";
import { isUnconfirmed } from "../trust-level.ts";
import { finding } from "./finding-defaults.ts";

/**
 * The document is of another type or country than declared (602, resubmission), its headings name a kind that
 * no request can declare (206), such as a health card, or the policy does not serve the declared country
 * (510). What was declared is compared first: the faults of an image are those of a document of the declared
 * kind, such as a missing MRZ.
 */
export const typeRule: FindingRule = (document) => {
  const { declared, fields, policy } = document;
  const types = typesOf(document);
  const named = fields.values.issuer;
  const issuer = named === undefined || isUnconfirmed(named) ? undefined : named.value;
  const isClear = fields.mrz === undefined || fields.mrz.summary.clear;
  // A country that ICAO does not know is a sign of fraud (507), and no other country than declared.
  const isCountry = issuer !== undefined && isCountryCode(issuer);
  return [
    finding({
      name: "country-not-served",
      stage: "type",
      code: 510,
      consequence: "decline",
      holds: policy.countries.length > 0 && !policy.countries.includes(declared.country),
    }),
    ...notSupported(fields),
    finding({
      name: "type-differs",
      stage: "capture",
      isOfDeclaration: true,
      code: 602,
      consequence: "resubmit",
      neededForApproval: true,
      holds: types.length === 0 || !isClear ? "unknown" : !types.includes(declared.type),
      evidence: { declared: declared.type, found: types.join(" or ") },
    }),
    finding({
      name: "country-differs",
      stage: "capture",
      isOfDeclaration: true,
      code: 602,
      consequence: "resubmit",
      neededForApproval: true,
      holds: !isCountry || !isClear ? "unknown" : !isIssuedBy(issuer, declared.country),
      // The country that was found is personal data of the holder: evidence has the declared one only.
      evidence: { declared: declared.country },
    }),
  ];
};

/**
 * Types that the data allows, or the type of its model, or the one that its headings name. An MRZ does not
 * distinguish a residence permit from an identity card (9303-5, note k): the model does, and so does a
 * heading of a residence permit.
 */
export const typesOf = ({ fields }: Pick<DocumentCase, "fields">): readonly DeclaredType[] => {
  const mrz = fields.mrz?.fields;
  if (mrz !== undefined) {
    if (mrz.format === "FRA-LICENCE" || mrz.format === "CHE-LICENCE") {
      return ["DRIVING_LICENSE"];
    }
    return narrowed(typesByCode[mrz.documentCode.slice(0, 1)] ?? [], fields);
  }
  const subfile = fields.licence?.fields.subfile;
  if (subfile === undefined) {
    return fields.model === undefined ? headedTypes(fields) : [fields.model.type];
  }
  return subfile === "ID" ? ["ID_CARD"] : ["DRIVING_LICENSE"];
};

/**
 * Of the types that an MRZ allows, the one that the model or a heading states; all of them where neither
 * states one.
 */
const narrowed = (
  types: readonly DeclaredType[],
  { model, headedKind }: DocumentFields,
): readonly DeclaredType[] => {
  const stated =
    model !== undefined && model.country !== "*"
      ? model.type
      : headedKind === "RESIDENCE_PERMIT"
        ? headedKind
        : undefined;
  return stated !== undefined && types.includes(stated) ? [stated] : types;
};

/**
 * Headings alone are a hint: another card may quote one. An MRZ or a barcode is of a document that can be
 * declared.
 */
const notSupported = ({ headedKind, mrz, payloads }: DocumentFields): readonly Finding[] =>
  headedKind === undefined || mrz !== undefined || payloads.length > 0
    ? []
    : [
        finding({
          name: "type-not-supported",
          stage: "type",
          code: 206,
          consequence: "resubmit",
          isHint: true,
          holds: headedKind === "OTHER",
        }),
      ];

/** Headings of residence permits often say identity card. */
const headedTypes = ({ headedKind }: DocumentFields): readonly DeclaredType[] => {
  if (headedKind === undefined || headedKind === "OTHER") return [];
  return headedKind === "ID_CARD" ? ["ID_CARD", "RESIDENCE_PERMIT"] : [headedKind];
};

const typesByCode: Readonly<Record<string, readonly DeclaredType[]>> = {
  P: ["PASSPORT"],
  V: ["VISA"],
  D: ["DRIVING_LICENSE"],
  A: ["ID_CARD", "RESIDENCE_PERMIT"],
  C: ["ID_CARD", "RESIDENCE_PERMIT"],
  I: ["ID_CARD", "RESIDENCE_PERMIT"],
};

/** Codes of ICAO Doc 9303-3, 5 for an issuing country that has another code in ISO 3166-1. */
const alsoWritten: Readonly<Record<string, string>> = {
  GBD: "GBR",
  GBN: "GBR",
  GBO: "GBR",
  GBP: "GBR",
  GBS: "GBR",
};

const isIssuedBy = (issuer: string, country: string): boolean =>
  issuer === country || alsoWritten[issuer] === country;

import type { DeclaredType, DocumentCase, Question } from "../finding.ts";
import { finding } from "./answer.ts";

/**
 * Is it the kind and the country that were declared, and one that is served? A difference asks for the right
 * document first (602); 510 is for a kind or country that this installation does not take at all.
 */
export const askType: Question = (document) => {
  const { declared, fields, policy } = document;
  const types = typesOf(document);
  const issuer = fields.values.issuer?.value;
  const isSure = fields.mrz === undefined || fields.mrz.sighting.clear;
  return [
    finding({
      name: "country-not-served",
      stage: "type",
      code: 510,
      consequence: "decline",
      holds: policy.countries.length > 0 && !policy.countries.includes(declared.country),
    }),
    finding({
      name: "type-differs",
      stage: "type",
      code: 602,
      consequence: "resubmit",
      neededForApproval: true,
      holds: types.length === 0 || !isSure ? "unknown" : !types.includes(declared.type),
      evidence: { declared: declared.type, found: types.join(" or ") },
    }),
    finding({
      name: "country-differs",
      stage: "type",
      code: 602,
      consequence: "resubmit",
      neededForApproval: true,
      holds: issuer === undefined || !isSure ? "unknown" : !isIssuedBy(issuer, declared.country),
      // What was found is the holder's own; evidence only tells what was asked.
      evidence: { declared: declared.country },
    }),
  ];
};

/** Kinds that the data allows, or that its model is of. A zone cannot tell a residence permit from an identity card (9303-5, note k). */
export const typesOf = ({ fields }: Pick<DocumentCase, "fields">): readonly DeclaredType[] => {
  const zone = fields.mrz?.fields;
  if (zone !== undefined) {
    if (zone.format === "FRA-LICENCE" || zone.format === "CHE-LICENCE") {
      return ["DRIVING_LICENSE"];
    }
    return typesByCode[zone.documentCode.slice(0, 1)] ?? [];
  }
  const subfile = fields.licence?.fields.subfile;
  if (subfile === undefined) {
    return fields.model === undefined ? [] : [fields.model.type];
  }
  return subfile === "ID" ? ["ID_CARD"] : ["DRIVING_LICENSE"];
};

const typesByCode: Readonly<Record<string, readonly DeclaredType[]>> = {
  P: ["PASSPORT"],
  V: ["VISA"],
  D: ["DRIVING_LICENSE"],
  A: ["ID_CARD", "RESIDENCE_PERMIT"],
  C: ["ID_CARD", "RESIDENCE_PERMIT"],
  I: ["ID_CARD", "RESIDENCE_PERMIT"],
};

/** Codes of ICAO Doc 9303-3, 5 for one issuing country that ISO 3166-1 writes otherwise. */
const alsoWritten: Readonly<Record<string, string>> = {
  GBD: "GBR",
  GBN: "GBR",
  GBO: "GBR",
  GBP: "GBR",
  GBS: "GBR",
};

const isIssuedBy = (issuer: string, country: string): boolean =>
  issuer === country || alsoWritten[issuer] === country;

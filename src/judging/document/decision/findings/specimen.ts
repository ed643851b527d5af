import type { FieldName } from "../../values/field-name.ts";
import { fold } from "../../values/fold.ts";
import {
  isNameToo,
  isSpecimenValue,
  mrzTextOf,
  specimenMarkOf,
  specimenWordOf,
} from "../../values/specimen-word.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { DocumentCase, FindingRule } from "../finding.ts";
import { finding } from "./finding-defaults.ts";
import { type Published, publishedNames, publishedNumbers } from "./published-specimens.ts";

/** ICAO Doc 9303-3, 5: Utopia issues the standard's own examples and no document. */
const specimenIssuer = "UTO";

type Case = Pick<DocumentCase, "reading" | "fields" | "policy">;

/**
 * A word across a specimen: alone in its line, because the words occur in addresses too, or as a mark at any
 * angle. A word that is also a name counts where no field of the document holds what was read.
 */
const saysSpecimen = ({ reading: { front, back }, fields }: Case): boolean => {
  const sides = back === undefined ? [front] : [front, back];
  const found = [
    ...sides.flatMap(({ lines }) => lines.map(({ text }) => ({ text, word: specimenWordOf(text) }))),
    ...sides.flatMap(({ marks }) => (marks ?? []).map(({ text }) => ({ text, word: specimenMarkOf(text) }))),
  ];
  return found.some(
    ({ text, word }) =>
      word !== undefined && !(isNameToo(word) && (isInField(word, fields) || isInField(text, fields))),
  );
};

/** Whether one field has every word of the text. */
const isInField = (text: string, fields: DocumentFields): boolean =>
  fieldReadingsOf(fields).some(({ value }) => {
    const own = wordsOf(value);
    return wordsOf(text).every((word) => own.includes(word));
  });

const wordsOf = (text: string): readonly string[] => fold(text).match(/[A-Z]+/g) ?? [];

const statedFields: readonly FieldName[] = [
  "documentNumber",
  "serialNumber",
  "personalNumber",
  "lastName",
  "firstName",
];

/** The names of the MRZ as its line has them, without fillers around them. */
const mrzNameOf = ({ mrz }: DocumentFields): string | undefined => {
  if (mrz === undefined) return undefined;
  const { primary, secondary } = mrz.fields.names;
  return `${primary}<<${secondary}`.replaceAll(" ", "<");
};

/** A name or number that is invented, or on the shipped list or the operator's. */
const isPublished = ({ fields, policy: { specimens } }: Case): boolean => {
  const issuers = (fields.values.issuer?.readings ?? []).map(({ value }) => value);
  const stated = fieldReadingsOf(fields).filter(({ name }) => statedFields.includes(name));
  const own = specimens.numbers.map(mrzTextOf);
  const isOf = (list: Published, text: string | undefined): boolean =>
    text !== undefined && issuers.some((issuer) => list.get(issuer)?.has(text));
  const lines = (fields.mrz?.fields.lines ?? []).join("");
  return (
    stated.some(
      ({ value }) =>
        isSpecimenValue(value) || own.includes(mrzTextOf(value)) || isOf(publishedNumbers, mrzTextOf(value)),
    ) ||
    isOf(publishedNames, mrzNameOf(fields)) ||
    specimens.mrzTexts.some((text) => lines.includes(mrzTextOf(text)))
  );
};

/** The document states that it is a specimen, or is a published one (508). */
export const specimenRule: FindingRule = (document) => {
  const { values } = document.fields;
  const issuer = values.issuer?.value;
  const isSaid = saysSpecimen(document);
  const isKnown = isPublished(document);
  return [
    finding({
      name: "specimen",
      stage: "contradiction",
      code: 508,
      consequence: "review",
      source: isSaid ? "print" : (values.issuer?.sources.join(" ") ?? "issuer"),
      neededForApproval: true,
      holds:
        isSaid || isKnown
          ? true
          : issuer === undefined
            ? "unknown"
            : [issuer, values.nationality?.value].includes(specimenIssuer),
      evidence: { isSaid, isKnown },
    }),
  ];
};

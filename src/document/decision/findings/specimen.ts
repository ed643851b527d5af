import { fold } from "../../values/fold.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { DocumentCase, FindingRule } from "../finding.ts";
import { finding } from "./finding-defaults.ts";

/** ICAO Doc 9303-3, 5: Utopia issues the standard's own examples and no document. */
const specimenIssuer = "UTO";

/** Words across a specimen card; alone in their line, because they occur in addresses too. */
const words = ["MUESTRA", "SPECIMEN", "ESPECIMEN"];

/**
 * Specimen words that are also names of people and towns: they count where no field of the document holds
 * them.
 */
const nameWords = ["MODELO", "SAMPLE"];

const saysSpecimen = ({
  reading: { front, back },
  fields,
}: Pick<DocumentCase, "reading" | "fields">): boolean =>
  [...front.lines, ...(back?.lines ?? [])].some(({ text }) => {
    const word = fold(text).replaceAll(/[^A-Z]/g, "");
    return words.includes(word) || (nameWords.includes(word) && !isInField(word, fields));
  });

const isInField = (word: string, fields: DocumentFields): boolean =>
  fieldReadingsOf(fields).some(({ value }) =>
    fold(value)
      .split(/[^A-Z]+/)
      .includes(word),
  );

/** The document states that it is a specimen (508). */
export const specimenRule: FindingRule = ({ fields, reading }) => {
  const issuer = fields.values.issuer?.value;
  const nationality = fields.values.nationality?.value;
  const isSaid = saysSpecimen({ reading, fields });
  return [
    finding({
      name: "specimen",
      stage: "contradiction",
      code: 508,
      consequence: "review",
      source: isSaid ? "print" : (fields.values.issuer?.sources.join(" ") ?? "issuer"),
      neededForApproval: true,
      holds: isSaid
        ? true
        : issuer === undefined
          ? "unknown"
          : [issuer, nationality].includes(specimenIssuer),
    }),
  ];
};

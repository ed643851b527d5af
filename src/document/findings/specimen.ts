import type { Question } from "../finding.ts";
import type { DocumentReading } from "../reading.ts";
import { fold } from "../text/fold.ts";
import { finding } from "./answer.ts";

/** ICAO Doc 9303-3, 5: Utopia issues the standard's own examples and no document. */
const specimenIssuer = "UTO";

/** Words across a card that was printed to be shown; alone in their line, because they occur in addresses too. */
const words = ["MUESTRA", "SPECIMEN", "ESPECIMEN", "MODELO", "SAMPLE"];

const saysSpecimen = ({ front, back }: DocumentReading): boolean =>
  [...front.lines, ...(back?.lines ?? [])].some(({ text }) =>
    words.includes(fold(text).replaceAll(/[^A-Z]/g, "")),
  );

/** Does it say of itself that it is a specimen (508)? */
export const askSpecimen: Question = ({ fields, reading }) => {
  const issuer = fields.values.issuer?.value;
  const nationality = fields.values.nationality?.value;
  return [
    finding({
      name: "specimen",
      stage: "contradiction",
      code: 508,
      consequence: "review",
      source: saysSpecimen(reading) ? "print" : (fields.values.issuer?.sources.join(" ") ?? "issuer"),
      neededForApproval: true,
      holds: saysSpecimen(reading)
        ? true
        : issuer === undefined
          ? "unknown"
          : [issuer, nationality].includes(specimenIssuer),
    }),
  ];
};

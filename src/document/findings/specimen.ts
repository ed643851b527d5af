import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/** ICAO Doc 9303-3, 5: Utopia issues the standard's own examples and no document. */
const specimenIssuer = "UTO";

/** Does it say of itself that it is a specimen (508)? */
export const askSpecimen: Question = ({ fields }) => {
  const issuer = fields.values.issuer?.value;
  const nationality = fields.values.nationality?.value;
  return [
    finding({
      name: "specimen",
      stage: "contradiction",
      code: 508,
      consequence: "review",
      source: "issuer",
      neededForApproval: true,
      holds: issuer === undefined ? "unknown" : [issuer, nationality].includes(specimenIssuer),
    }),
  ];
};

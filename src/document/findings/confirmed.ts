import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/**
 * Does more than one source vouch for the number (540)? A clear zone has check digits over it, which have their own
 * question. Without one, print alone and a symbol alone are what anybody can make: only where both say the same may the
 * card pass without a person.
 */
export const askConfirmed: Question = ({ fields: { mrz, values } }) => {
  const isConfirmed =
    mrz?.sighting.clear === true ||
    [values.documentNumber, values.personalNumber].some((field) => (field?.sources.length ?? 0) > 1);
  return [
    finding({
      name: "number-unconfirmed",
      stage: "type",
      code: 540,
      consequence: "review",
      neededForApproval: true,
      holds: !isConfirmed,
      evidence: { sources: values.documentNumber?.sources.join(" ") ?? "" },
    }),
  ];
};

import type { PrintedSide } from "../print/printed-fields.ts";
import type { Sighting } from "./sighting.ts";

/** What a side prints; the year of a birth date is a value of its own. */
export const printSightings = (side: "front" | "back", { fields }: PrintedSide): readonly Sighting[] =>
  fields.flatMap((field): readonly Sighting[] => {
    const sighting = { ...field, source: "print", side } as const;
    return field.name === "dateOfBirth"
      ? [sighting, { ...sighting, name: "yearOfBirth", value: field.value.slice(0, 4) }]
      : [sighting];
  });

/** How sure headings name the issuer: two of them at least, each with one letter in five forgiven. Chosen. */
const headingsConfidence = 0.95;

/** The issuer as the headings name it. */
export const issuerSighting = (side: "front" | "back", country: string | undefined): readonly Sighting[] =>
  country === undefined
    ? []
    : [
        {
          name: "issuer",
          source: "print",
          side,
          value: country,
          raw: country,
          confidence: headingsConfidence,
          confirmedBy: "closed-list",
        },
      ];

import type { VizSide } from "../viz/viz-field.ts";
import type { FieldReading } from "./field-reading.ts";

/** The field values that a side prints. The year of a birth date is a field of its own. */
export const vizReadings = (side: "front" | "back", { fields }: VizSide): readonly FieldReading[] =>
  fields.flatMap((field): readonly FieldReading[] => {
    const reading = { ...field, source: "print", side } as const;
    return field.name === "dateOfBirth"
      ? [reading, { ...reading, name: "yearOfBirth", value: field.value.slice(0, 4) }]
      : [reading];
  });

/**
 * Confidence of the issuer that the headings name: at least two of them, each with one letter in five wrong.
 * The number is our choice.
 */
const headingsConfidence = 0.95;

/** The issuer that the headings name. */
export const issuerReading = (
  side: "front" | "back",
  country: string | undefined,
): readonly FieldReading[] =>
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

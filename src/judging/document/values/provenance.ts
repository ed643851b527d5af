import { Type } from "typebox";

/** The provenance of a stated fact, as part of a model's schema. */
export const provenance = {
  sure: Type.Enum(["O", "L", "S", "?"], {
    description:
      "O: official text or ICAO Doc 9303. L: open-source library. S: press, encyclopaedia, vendor. ?: unconfirmed. A ? or a single L never declines a document.",
  }),
  sources: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9, description: "Independent sources of the fact. Absent: one." }),
  ),
};

/**
 * The origin of a fact: official text (O), open-source library (L), press and similar (S), unconfirmed (?).
 */
export type Certainty = "O" | "L" | "S" | "?";

/** The origin of a fact, and its number of independent sources; absent: one. */
export type Provenance = { readonly sure: Certainty; readonly sources?: number };

/**
 * Whether a fact may be the reason of a decline. An unconfirmed fact, or a fact from a single library, never
 * is.
 */
export const mayDecline = ({ sure: known, sources }: Provenance): boolean =>
  known === "O" || known === "S" || (known === "L" && (sources ?? 1) >= 2);

import { Type } from "typebox";

/** What every stated fact carries beside itself. */
export const sure = {
  sure: Type.Enum(["O", "L", "S", "?"], {
    description:
      "O: official text or ICAO Doc 9303. L: open-source library. S: press, encyclopaedia, vendor. ?: unconfirmed. A ? or a single L never turns a person away.",
  }),
  sources: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9, description: "Independent sources of it. Absent: one." }),
  ),
};
/** Where a fact is known from: official text, open-source library, press and the like; ? is unconfirmed. */
export type Certainty = "O" | "L" | "S" | "?";

/** How sure a fact is, and by how many independent sources; absent: one. */
export type Sureness = { readonly sure: Certainty; readonly sources?: number };

/** Whether a fact may be the ground on which a person is turned away: an unconfirmed one and a single library's never. */
export const mayDecline = ({ sure: known, sources }: Sureness): boolean =>
  known === "O" || known === "S" || (known === "L" && (sources ?? 1) >= 2);

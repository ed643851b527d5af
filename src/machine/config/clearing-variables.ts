import { Type } from "typebox";
import { number } from "./variable-kinds.ts";

/** Settings of pension clearing. */
export const clearingVariables = {
  IDEM_CLEARING_TOKEN_HOURS: number(
    1,
    720,
    24,
    "Hours for which a verification token opens its certificate (docs/guides/integrate/clearing.md).",
  ),
  IDEM_CLEARING_TOKEN_USES: number(
    1,
    1_000,
    10,
    "How often a verification token opens its certificate. The clearing entity may load it again while a clerk reads it.",
  ),
  IDEM_CLEARING_ASSURANCE: Type.Enum(["interface", "strict"], {
    default: "interface",
    description:
      "What a verification token needs. `interface`: 3, 3 and 9001, as the interface states; the default accepts a face at `IDEM_FMR_DOCUMENT`, any capture that passes as live, and a portrait that nothing ties to its document. `strict`: also `active-turn`, a face at a calibrated rate of 1e-3 or less, which an added recogniser or an own cohort does not show, and a portrait whose evidence is at least `print-consistent` (docs/guides/integrate/clearing.md).",
  }),
  IDEM_CLEARING_PROVIDER: Type.String({
    minLength: 1,
    maxLength: 100,
    default: "Idem",
    description:
      "Name of your organisation as the provider of the verification, on certificates of pension clearing.",
  }),
};

import { type CardHolder, givenNamesOf } from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";
import { writeCardLines } from "../td1.ts";

/** Cédula de identidad, from October 2025: dates and sex stand in the MRZ alone. */
export const costaRicaCard = (holder: CardHolder): CardLayout => ({
  ghost: [28, 34],
  front: printed(
    [0.2, 0.03, "REPÚBLICA DE COSTA RICA"],
    [0.2, 0.09, "TRIBUNAL SUPREMO DE ELECCIONES"],
    [0.2, 0.15, "CÉDULA DE IDENTIDAD"],
    [0.6, 0.2, holder.printedNumber],
    [0.36, 0.3, `Nombre: ${givenNamesOf(holder)}`, "line"],
    [0.36, 0.38, `1° Apellido: ${holder.surnames[0]}`, "line"],
    [0.36, 0.46, `2° Apellido: ${holder.surnames[1]}`, "line"],
  ),
  mrz: writeCardLines(holder, {
    code: "ID",
    number: holder.documentNumber,
    optional1: `<${holder.cardSerial}`,
  }),
});

import { type CardHolder, givenNamesOf, spelled, surnamesOf } from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";
import { writeCardLines } from "../td1.ts";

/**
 * Cédula electrónica, from 2021. The number in the MRZ is the card's; the NUI stands in the optional field.
 */
export const ecuadorCard = (holder: CardHolder): CardLayout => ({
  ink: "black",
  ghost: [70, 36],
  front: printed(
    [0.2, 0.03, "REPÚBLICA DEL ECUADOR"],
    [0.2, 0.09, "DIRECCIÓN GENERAL DE REGISTRO CIVIL, IDENTIFICACIÓN Y CEDULACIÓN"],
    [0.36, 0.18, "APELLIDOS", "label"],
    [0.36, 0.23, surnamesOf(holder)],
    [0.36, 0.3, "NOMBRES", "label"],
    [0.36, 0.35, givenNamesOf(holder)],
    [0.36, 0.42, "NACIONALIDAD", "label"],
    [0.36, 0.47, "ECUATORIANA"],
    [0.36, 0.54, "FECHA DE NACIMIENTO", "label"],
    [0.68, 0.54, "SEXO", "label"],
    [0.36, 0.59, spelled(holder.dateOfBirth)],
    [0.68, 0.59, holder.gender === "F" ? "MUJER" : "HOMBRE"],
    [0.36, 0.66, "FECHA DE VENCIMIENTO", "label"],
    [0.36, 0.71, spelled(holder.expiryDate)],
    [0.05, 0.88, `NUI.${holder.documentNumber}`],
  ),
  back: printed([0.6, 0.06, "CÓDIGO DACTILAR", "label"], [0.6, 0.11, holder.documentCode ?? ""]),
  mrz: writeCardLines(holder, { code: "I<", number: holder.cardSerial, optional2: holder.documentNumber }),
});

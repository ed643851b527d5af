import { type CardHolder, givenNamesOf, spelled, surnamesOf } from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";
import { writeCardLines } from "../td1.ts";

/** DPI. The MRZ divides the CUI: nine digits, their check digit, and the last four in the optional field. */
export const guatemalaCard = (holder: CardHolder): CardLayout => ({
  front: printed(
    [0.2, 0.03, "REPÚBLICA DE GUATEMALA"],
    [0.2, 0.09, "REGISTRO NACIONAL DE LAS PERSONAS"],
    [0.2, 0.15, "DOCUMENTO PERSONAL DE IDENTIFICACIÓN"],
    [0.6, 0.22, "CUI", "label"],
    [0.7, 0.22, holder.printedNumber],
    [0.36, 0.3, "Nombre / Name", "label"],
    [0.36, 0.35, givenNamesOf(holder)],
    [0.36, 0.42, "Apellido / Last name", "label"],
    [0.36, 0.47, surnamesOf(holder)],
    [0.36, 0.54, "Nacionalidad / Nationality", "label"],
    [0.36, 0.59, "GTM"],
    [0.66, 0.54, "Sexo / Sex", "label"],
    [0.66, 0.59, holder.gender],
    [0.36, 0.66, "Fecha de nacimiento / Date of birth", "label"],
    [0.36, 0.71, spelled(holder.dateOfBirth, "")],
    [0.36, 0.78, "Fecha de emisión / Date of issue", "label"],
    [0.36, 0.83, spelled(holder.issueDate, "")],
  ),
  back: printed(
    [0.05, 0.1, "Fecha de vencimiento / Date of expiry", "label"],
    [0.05, 0.15, spelled(holder.expiryDate, "")],
  ),
  mrz: writeCardLines(holder, {
    code: "I<",
    number: holder.documentNumber.slice(0, 9),
    optional1: holder.documentNumber.slice(9),
  }),
});

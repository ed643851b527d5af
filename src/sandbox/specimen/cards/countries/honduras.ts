import { type CardHolder, givenNamesOf, inDigits, surnamesOf } from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";
import { writeCardLines } from "../td1.ts";

/** DNI, from 2021: given names above surnames, the card's serial number in the MRZ. */
export const hondurasCard = (holder: CardHolder): CardLayout => ({
  ink: "black",
  front: printed(
    [0.2, 0.03, "REPÚBLICA DE HONDURAS"],
    [0.2, 0.09, "REGISTRO NACIONAL DE LAS PERSONAS"],
    [0.36, 0.2, "NOMBRE / FORENAME", "label"],
    [0.36, 0.25, givenNamesOf(holder)],
    [0.36, 0.32, "APELLIDO / SURNAME", "label"],
    [0.36, 0.37, surnamesOf(holder)],
    [0.36, 0.44, "FECHA DE NACIMIENTO / DATE OF BIRTH", "label"],
    [0.36, 0.49, inDigits(holder.dateOfBirth, "-")],
    [0.36, 0.56, "NÚMERO DE IDENTIFICACIÓN / ID NUMBER", "label"],
    [0.36, 0.61, holder.printedNumber],
  ),
  back: printed([0.1, 0.1, "COMISIONADOS PROPIETARIOS"]),
  mrz: writeCardLines(holder, { code: "I<", number: holder.cardSerial }),
});

import { type CardHolder, givenNamesOf, inDigits } from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";
import { writeCardLines } from "../td1.ts";

const civilStatusLetters = { single: "S", married: "C", widowed: "V", divorced: "D" } as const;

/** DNI azul. The number in the MRZ has its own check digit, not the one behind the printed number. */
export const peruCard = (holder: CardHolder): CardLayout => ({
  ghost: [70, 12],
  front: printed(
    [0.2, 0.03, "REPÚBLICA DEL PERÚ"],
    [0.2, 0.08, "REGISTRO NACIONAL DE IDENTIFICACIÓN Y ESTADO CIVIL"],
    [0.2, 0.13, "DOCUMENTO NACIONAL DE IDENTIDAD"],
    [0.72, 0.06, `DNI ${holder.printedNumber.replace("-", " - ")}`],
    [0.3, 0.2, "Primer Apellido", "label"],
    [0.3, 0.25, holder.surnames[0]],
    [0.3, 0.31, "Segundo Apellido", "label"],
    [0.3, 0.36, holder.surnames[1]],
    [0.3, 0.42, "Pre Nombres", "label"],
    [0.3, 0.47, givenNamesOf(holder)],
    [0.3, 0.53, "Nacimiento: Fecha y Ubigeo", "label"],
    [0.3, 0.58, `${inDigits(holder.dateOfBirth, " ")} ${holder.placeCode}`],
    [0.3, 0.64, "Sexo", "label"],
    [0.5, 0.64, "Estado Civil", "label"],
    [0.3, 0.69, holder.gender],
    [0.5, 0.69, civilStatusLetters[holder.civilStatus]],
    [0.75, 0.6, "Fecha Inscripción", "label"],
    [0.75, 0.65, inDigits(inscribed(holder), " ")],
    [0.75, 0.71, "Fecha Emisión", "label"],
    [0.75, 0.76, inDigits(holder.issueDate, " ")],
    [0.75, 0.82, "Fecha Caducidad", "label"],
    [0.75, 0.87, inDigits(holder.expiryDate, " ")],
  ),
  back: printed(
    [0.05, 0.1, "Departamento", "label"],
    [0.35, 0.1, "Provincia", "label"],
    [0.65, 0.1, "Distrito", "label"],
    [0.05, 0.16, holder.province],
    [0.35, 0.16, holder.province],
    [0.65, 0.16, holder.city],
    [0.05, 0.25, "Dirección", "label"],
    [0.05, 0.31, holder.address],
  ),
  mrz: writeCardLines(holder, { code: "I<", number: holder.documentNumber }),
  barcode: ["Code39", holder.documentNumber],
});

/** Registered on the eighteenth birthday. */
const inscribed = ({ dateOfBirth }: CardHolder): string =>
  `${Number(dateOfBirth.slice(0, 4)) + 18}${dateOfBirth.slice(4)}`;

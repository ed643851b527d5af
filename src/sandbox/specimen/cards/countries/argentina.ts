import {
  type CardHolder,
  givenNamesOf,
  inDigits,
  spelledTwice,
  surnamesOf,
  unaccented,
} from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";
import { writeCardLines } from "../td1.ts";

/** The last digit of the CUIL: weights 5 4 3 2 7 6 5 4 3 2; a remainder of 1 has no digit. */
const cuilDigit = (ten: string): number | undefined => {
  const sum = Array.from(ten).reduce(
    (total, digit, at) => total + Number(digit) * (at < 4 ? 5 - at : 11 - at),
    0,
  );
  return sum % 11 === 1 ? undefined : (11 - (sum % 11)) % 11;
};

/** The tax number of a holder: prefix by sex, or 23 where that has no digit (RG AFIP 10/97). */
const cuilOf = ({ documentNumber, gender }: CardHolder): readonly [string, string, string] => {
  const number = documentNumber.padStart(8, "0");
  const usual = gender === "F" ? "27" : "20";
  const prefix = cuilDigit(usual + number) === undefined ? "23" : usual;
  return [prefix, number, String(cuilDigit(prefix + number))];
};

/**
 * DNI tarjeta, 2012 to 2023, with the second form of the barcode: trámite, names, sex, number, copy, birth,
 * issue.
 */
export const argentinaCard = (holder: CardHolder): CardLayout => {
  const cuil = cuilOf(holder);
  return {
    front: printed(
      [0.2, 0.03, "REPÚBLICA ARGENTINA - MERCOSUR"],
      [0.2, 0.09, "REGISTRO NACIONAL DE LAS PERSONAS"],
      [0.36, 0.18, "Apellido / Surname", "label"],
      [0.36, 0.23, surnamesOf(holder)],
      [0.36, 0.3, "Nombre / Name", "label"],
      [0.36, 0.35, givenNamesOf(holder)],
      [0.36, 0.42, "Sexo / Sex", "label"],
      [0.52, 0.42, "Nacionalidad / Nationality", "label"],
      [0.36, 0.47, holder.gender],
      [0.52, 0.47, "ARGENTINA"],
      [0.36, 0.54, "Fecha de nacimiento / Date of birth", "label"],
      [0.36, 0.59, spelledTwice(holder.dateOfBirth)],
      [0.36, 0.66, "Fecha de emisión / Date of issue", "label"],
      [0.36, 0.71, spelledTwice(holder.issueDate)],
      [0.36, 0.78, "Fecha de vencimiento / Date of expiry", "label"],
      [0.36, 0.83, spelledTwice(holder.expiryDate)],
      [0.05, 0.8, "Documento / Document", "label"],
      [0.05, 0.85, holder.printedNumber],
      [0.36, 0.9, "Trámite N° / Of. ident.", "label"],
      [0.75, 0.9, holder.documentCode ?? ""],
    ),
    back: printed(
      [0.05, 0.1, `DOMICILIO: ${holder.address} - ${holder.city}`, "line"],
      [0.05, 0.2, `CUIL: ${cuil.join("-")}`, "line"],
    ),
    mrz: writeCardLines(holder, { code: "ID", number: holder.documentNumber }),
    barcode: ["PDF417", payloadOf(holder, cuil)],
  };
};

const payloadOf = (holder: CardHolder, [prefix, , digit]: readonly [string, string, string]): string =>
  [
    holder.documentCode ?? "",
    unaccented(surnamesOf(holder)),
    unaccented(givenNamesOf(holder)),
    holder.gender,
    holder.documentNumber,
    "A",
    inDigits(holder.dateOfBirth, "/"),
    inDigits(holder.issueDate, "/"),
    `${prefix}${digit}`,
  ].join("@");

import { withCheckDigit } from "../../mrz.ts";
import { type CardHolder, compact, givenNamesOf, spelled } from "../card-holder.ts";
import { type CardLayout, printed } from "../card-layout.ts";
import { writeCardLines } from "../td1.ts";

/**
 * Cédula, from December 2024: the RUN in the optional field, a QR code with the address of the registry's
 * page.
 */
export const chileCard = (holder: CardHolder): CardLayout => ({
  ink: "black",
  ghost: [70, 11],
  front: printed(
    [0.2, 0.04, "REPÚBLICA DE CHILE"],
    [0.2, 0.1, "SERVICIO DE REGISTRO CIVIL E IDENTIFICACIÓN"],
    [0.36, 0.18, "APELLIDOS", "label"],
    [0.36, 0.23, holder.surnames[0]],
    [0.36, 0.28, holder.surnames[1]],
    [0.36, 0.35, "NOMBRES", "label"],
    [0.36, 0.4, givenNamesOf(holder)],
    [0.36, 0.47, "NACIONALIDAD", "label"],
    [0.6, 0.47, "SEXO", "label"],
    [0.36, 0.52, "CHILENA"],
    [0.6, 0.52, holder.gender],
    [0.36, 0.59, "FECHA DE NACIMIENTO", "label"],
    [0.7, 0.59, "NÚMERO DOCUMENTO", "label"],
    [0.36, 0.64, spelled(holder.dateOfBirth)],
    [0.7, 0.64, holder.cardSerial.replace(/^(.)(..)(...)(...)$/, "$1$2.$3.$4")],
    [0.36, 0.71, "FECHA DE EMISIÓN", "label"],
    [0.7, 0.71, "FECHA DE VENCIMIENTO", "label"],
    [0.36, 0.76, spelled(holder.issueDate)],
    [0.7, 0.76, spelled(holder.expiryDate)],
    [0.05, 0.9, `RUN ${holder.printedNumber}`],
  ),
  back: printed([0.05, 0.1, `Nació en: ${holder.city}`, "line"]),
  mrz: writeCardLines(holder, {
    code: "IN",
    number: holder.cardSerial,
    optional1: "S51",
    optional2: `${bodyOf(holder)}<${characterOf(holder)}`,
  }),
  barcode: ["QRCode", addressOf(holder)],
});

const bodyOf = ({ documentNumber }: CardHolder): string => documentNumber.slice(0, -1);
const characterOf = ({ documentNumber }: CardHolder): string => documentNumber.slice(-1);

const addressOf = (holder: CardHolder): string => {
  const key = [holder.cardSerial, compact(holder.dateOfBirth).slice(2), compact(holder.expiryDate).slice(2)]
    .map(withCheckDigit)
    .join("");
  const name = [givenNamesOf(holder), ...holder.surnames].map(inLatin1).join("%20%20");
  const run = `${bodyOf(holder)}-${characterOf(holder)}`;
  return `https://portal.sidiv.registrocivil.cl/docstatus?RUN=${run}&type=CEDULA&serial=${holder.cardSerial}&mrz=${key}&name=${name}`;
};

/** Percent-encoded as Latin-1, as the cards do. */
const inLatin1 = (text: string): string =>
  Array.from(Buffer.from(text, "latin1"), (byte) =>
    /[A-Z]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
  ).join("");

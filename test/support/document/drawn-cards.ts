import { checkDigit } from "#judging/document/reading/mrz/check-digit";
import type { TextLine } from "#judging/document/reading/ocr/text-line";
import { argentina, chile, type DrawnCard, ecuador, honduras } from "./national-cards.ts";
import type { Shot } from "./photograph.ts";
import { printed } from "./printed-lines.ts";

/** The lines without the line of this text. */
const without = (lines: readonly TextLine[], text: string): readonly TextLine[] =>
  lines.filter((row) => row.text !== text);

/** A Chilean MRZ whose optional field does not hold the RUN, with correct check digits. */
const mrzWithoutRun = ((): readonly string[] => {
  const upper = "INCHLA123456784S51".padEnd(30, "<");
  const [birth, expiry] = ["900101", "350101"].map((date) => date + checkDigit(date));
  const middle = `${birth}F${expiry}CHL`.padEnd(29, "<");
  const all = checkDigit(upper.slice(5) + birth + expiry + middle.slice(18));
  return [upper, middle + all, "SOLIS<PRUEBA<<ANA<MARIA<<<<<<<"];
})();

/** Ecuadorian headings and labels of 2009, with a hand over every value. */
const coveredEcuador = printed(
  [0.2, 0.03, "REPÚBLICA DEL ECUADOR"],
  [0.2, 0.09, "DIRECCIÓN GENERAL DE REGISTRO CIVIL"],
  [0.2, 0.15, "CÉDULA DE CIUDADANÍA"],
  [0.36, 0.24, "APELLIDOS Y NOMBRES"],
  [0.36, 0.42, "LUGAR DE NACIMIENTO"],
  [0.36, 0.56, "FECHA DE NACIMIENTO"],
  [0.36, 0.66, "NACIONALIDAD"],
  [0.36, 0.76, "SEXO"],
);

/** Content of a Californian barcode (AAMVA DL/ID Card Design Standard), expired. */
const licence =
  "@\n\x1e\rANSI 636000080002DL00410278ZV03190008DLDAQX1234\rDCSPRUEBA\rDBB01151990\rDBA01012020\rDCGUSA\r";

const { barcode: _, ...argentinaWithoutBarcode } = argentina;

const healthCard = printed(
  [0.3, 0.05, "EUROPEAN HEALTH INSURANCE CARD"],
  [0.36, 0.2, "Name"],
  [0.36, 0.25, "SOLIS"],
  [0.36, 0.35, "Given names"],
  [0.36, 0.4, "ANA MARIA"],
  [0.36, 0.5, "Date of birth"],
  [0.36, 0.55, "01/01/1990"],
  [0.36, 0.65, "Expiry date"],
  [0.36, 0.7, "01/01/2035"],
);

/** The last check digit is 9. */
const brazilianLicence = printed(
  [0.3, 0.03, "REPÚBLICA FEDERATIVA DO BRASIL"],
  [0.3, 0.09, "CARTEIRA NACIONAL DE HABILITACAO"],
  [0.36, 0.2, "CPF"],
  [0.36, 0.25, "123.456.789-08"],
  [0.36, 0.35, "Data de nascimento"],
  [0.36, 0.4, "01/01/1990"],
  [0.36, 0.5, "Validade"],
  [0.36, 0.55, "01/01/2035"],
);

/** Cards that differ from a genuine one as their key says, and the sides that are sent. */
export const drawnCards = {
  "a Chilean card without its RUN": {
    card: { front: without(chile.front, "RUN 12.345.678-5"), mrz: mrzWithoutRun },
    sides: "both",
  },
  "a Honduran card without its number": {
    card: { ...honduras, front: without(honduras.front, "0801 1990 12345") },
    sides: "both",
  },
  "an Argentine card without its process number": {
    card: { ...argentinaWithoutBarcode, front: without(argentina.front, "00123456789") },
    sides: "both",
  },
  "an Ecuadorian card with a hand over it": { card: { front: coveredEcuador }, sides: "front" },
  "a Chilean front with an Ecuadorian back": {
    card: { ...ecuador, front: chile.front },
    sides: "both",
  },
  "two backs of a card": { card: ecuador, sides: "backs" },
  "a card whose corners are cut by the frame": {
    card: ecuador,
    sides: "both",
    seed: 9,
    shot: { share: 0.9, rotationDegrees: 16 },
  },
  "a health insurance card": { card: { front: healthCard }, sides: "both" },
  "a Brazilian licence with a wrong CPF": { card: { front: brazilianLicence }, sides: "both" },
  "an expired licence": {
    card: { front: printed([0.36, 0.1, "DRIVER LICENSE"]), barcode: ["PDF417", licence] },
    sides: "both",
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly card: DrawnCard;
      readonly sides: "both" | "front" | "backs";
      readonly seed?: number;
      readonly shot?: Partial<Shot>;
    }
  >
>;

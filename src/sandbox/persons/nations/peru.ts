import { spread } from "../draw.ts";
import { type Nation, names, padded, places } from "../nation.ts";

const factors: readonly number[] = [3, 2, 7, 6, 5, 4, 3, 2];

/**
 * The digit behind a DNI: 11 minus the weighted sum's remainder, one further, in the series of the civil
 * registry.
 */
const verificationDigit = (number: string): string => {
  const sum = factors.reduce((total, factor, at) => total + factor * Number(number[at]), 0);
  const key = 11 - (sum % 11);
  // The series of RENIEC for keys 1 to 11.
  return ["7", "8", "9", "0", "1", "1", "2", "3", "4", "5", "6"][key - 1] ?? "";
};

export const peru: Nation = {
  country: "PER",
  givenNames: {
    M: names(
      "JOSÉ, JUAN, LUIS, VÍCTOR, PEDRO, JESÚS, WILMER, EDGAR, ELMER, PERCY, RONALD, HUGO, WALTER, RICHARD, PABLO, FREDY, TEÓFILO, JULIÁN, ALDO, RENZO, GIANCARLO, MARTÍN, ABEL, NILO",
    ),
    F: names(
      "MARÍA, ROSA, JUANA, CARMEN, FLOR, YOLANDA, GLORIA, LUZ, KARINA, MILAGROS, MARITZA, NELLY, ROXANA, JANET, YENY, ROCÍO, FIORELLA, ELIZABETH, VILMA, HILDA, SONIA, DELIA, LIDIA, MERY",
    ),
  },
  surnames: names(
    "QUISPE, FLORES, MAMANI, HUAMÁN, ROJAS, CONDORI, CHÁVEZ, RAMOS, CÁRDENAS, CCORI, APAZA, CCAHUANA, ZAPATA, YUPANQUI, VILCA, TICONA, CHOQUE, HUANCA, CÓRDOVA, NÚÑEZ, SALAZAR, TELLO, ORTIZ, PALOMINO, POMA, SULLCA, TAIPE, VELÁSQUEZ",
  ),
  places: places(
    "150122, MIRAFLORES, LIMA; 150101, LIMA, LIMA; 040101, AREQUIPA, AREQUIPA; 130101, TRUJILLO, LA LIBERTAD; 080101, CUSCO, CUSCO; 200101, PIURA, PIURA; 140101, CHICLAYO, LAMBAYEQUE; 210101, PUNO, PUNO",
  ),
  streets: names("AV. AREQUIPA, JR. JUNÍN, AV. GRAU, CALLE LOS PINOS, JR. ANCASH, AV. LA MARINA"),
  issueYear: 2026,
  validityYears: 8,
  numbersOf: ({ index, dateOfBirth }) => {
    // Numbers up to 40 million come from the former electoral book; later ones were given to the young.
    const from = dateOfBirth < "1980" ? 5_000_000 : 40_000_000;
    const number = padded(from + spread(index, 30_000_000), 8);
    return { documentNumber: number, printedNumber: `${number}-${verificationDigit(number)}` };
  },
  serialOf: ({ index }) => padded(spread(index, 900_000_000), 9),
};

import { spread } from "../draw.ts";
import { type Nation, names, padded, places } from "../nation.ts";

/** Numbers rise with the year of birth: about 4 million in 1945, 45 million in 2004. */
const millionsOf = (dateOfBirth: string): number =>
  Math.max(4, Math.round(4 + ((Number(dateOfBirth.slice(0, 4)) - 1945) * 41) / 59));

export const argentina: Nation = {
  country: "ARG",
  givenNames: {
    M: names(
      "JUAN, CARLOS, JORGE, LUIS, MIGUEL, HÉCTOR, RAMÓN, FACUNDO, MATÍAS, NICOLÁS, GONZALO, LEANDRO, GUSTAVO, HORACIO, NÉSTOR, EZEQUIEL, LAUTARO, AGUSTÍN, MAXIMILIANO, RUBÉN, DARÍO, HERNÁN",
    ),
    F: names(
      "MARÍA, ANA, GRACIELA, SUSANA, STELLA, MÓNICA, NORMA, LILIANA, FLORENCIA, AGUSTINA, MICAELA, ROCÍO, CAMILA, SOLEDAD, VALERIA, NATALIA, MARIELA, GISELA, NOELIA, BELÉN, ALICIA, BEATRIZ",
    ),
  },
  surnames: names(
    "GONZÁLEZ, FERNÁNDEZ, GÓMEZ, BENÍTEZ, ACOSTA, MEDINA, PEREYRA, AGUIRRE, GIMÉNEZ, SOSA, CÓRDOBA, FERREYRA, LEDESMA, CABRERA, ROLDÁN, BRÍTEZ, MUÑOZ, VILLALBA, BIANCHI, ROSSI, FERRARI, RUSSO, COLOMBO, ROMANO, MANSILLA, FIGUEROA, LUCERO, QUIROGA",
  ),
  places: places(
    "C, CIUDAD DE BUENOS AIRES, CABA; B, LA PLATA, BUENOS AIRES; X, CÓRDOBA, CÓRDOBA; S, ROSARIO, SANTA FE; M, MENDOZA, MENDOZA; T, SAN MIGUEL, TUCUMÁN; A, SALTA, SALTA; Q, NEUQUÉN, NEUQUÉN",
  ),
  streets: names(
    "AV. RIVADAVIA, CALLE SAN MARTÍN, AV. BELGRANO, CALLE MITRE, AV. CORRIENTES, CALLE SARMIENTO",
  ),
  issueYear: 2022,
  validityYears: 15,
  numbersOf: ({ index, dateOfBirth }) => {
    const number = String(millionsOf(dateOfBirth) * 1_000_000 + spread(index, 1_000_000));
    const millions = number.slice(0, -6);
    return {
      documentNumber: number,
      printedNumber: `${millions}.${number.slice(-6, -3)}.${number.slice(-3)}`,
      documentCode: `00${padded(100_000_000 + spread(index, 800_000_000), 9)}`,
    };
  },
  serialOf: ({ index }) => padded(spread(index, 900_000_000), 9),
};

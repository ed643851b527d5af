import { spread } from "../draw.ts";
import { type Nation, names, padded, places } from "../nation.ts";

/**
 * The check character makes the weighted sum, 9 8 7 6 5 4 from the right, equal modulo 11 (Registro Civil).
 */
const checkCharacter = (body: string): string => {
  const sum = Array.from(body)
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (9 - (at % 6)), 0);
  return sum % 11 === 10 ? "K" : String(sum % 11);
};

/** Numbers rise with the year of birth: about 5 million in 1945, 21.5 million in 2004. */
const startOf = (dateOfBirth: string): number =>
  5_000_000 + Math.round(((Number(dateOfBirth.slice(0, 4)) - 1945) * 16_500_000) / 59);

export const chile: Nation = {
  country: "CHL",
  givenNames: {
    M: names(
      "JUAN, LUIS, JOSÉ, JORGE, MANUEL, SERGIO, PATRICIO, CRISTIÁN, CLAUDIO, RODRIGO, MARCELO, FELIPE, IGNACIO, MAXIMILIANO, BENJAMÍN, VICENTE, MATÍAS, GONZALO, HERNÁN, ÁLVARO, RENÉ, FABIÁN",
    ),
    F: names(
      "MARÍA, ANA, ROSA, PATRICIA, CLAUDIA, CAROLINA, XIMENA, PAULINA, CONSTANZA, FRANCISCA, JAVIERA, CATALINA, MACARENA, LORETO, PILAR, VERÓNICA, JACQUELINE, MARCELA, ANTONIA, ISIDORA, VALENTINA, GLADYS",
    ),
  },
  surnames: names(
    "GONZÁLEZ, MUÑOZ, ROJAS, DÍAZ, PÉREZ, SOTO, CONTRERAS, SILVA, SEPÚLVEDA, MORALES, FUENTES, ARAYA, ESPINOZA, VALENZUELA, TAPIA, FIGUEROA, CÁRDENAS, VERGARA, RIQUELME, ALARCÓN, SALAZAR, CATALÁN, HUENCHUÁN, PAILLALEF, QUILODRÁN, LAGOS, OYARZÚN, BAHAMONDES",
  ),
  places: places(
    "13101, SANTIAGO, METROPOLITANA; 05101, VALPARAÍSO, VALPARAÍSO; 08101, CONCEPCIÓN, BIOBÍO; 09101, TEMUCO, LA ARAUCANÍA; 02101, ANTOFAGASTA, ANTOFAGASTA; 10101, PUERTO MONTT, LOS LAGOS; 04101, LA SERENA, COQUIMBO",
  ),
  streets: names(
    "AV. PROVIDENCIA, CALLE ARTURO PRAT, AV. O'HIGGINS, CALLE BAQUEDANO, AV. ALEMANIA, CALLE CONDELL",
  ),
  issueYear: 2026,
  validityYears: 10,
  numbersOf: ({ index, dateOfBirth }) => {
    // The last four digits of the body alone tell the indices apart.
    const body = String(Math.floor(startOf(dateOfBirth) / 10_000) * 10_000 + spread(index, 10_000));
    const character = checkCharacter(body);
    const grouped = `${body.slice(0, -6)}.${body.slice(-6, -3)}.${body.slice(-3)}`;
    return { documentNumber: `${body}${character}`, printedNumber: `${grouped}-${character}` };
  },
  serialOf: ({ index }) => `B${padded(10_000_000 + spread(index, 80_000_000), 8)}`,
};

import { spread } from "../draw.ts";
import { type Nation, names, padded, places } from "../nation.ts";

/**
 * Check digit of a cédula: every second digit doubled from the left, digits of the products added (Luhn
 * 1960).
 */
const luhnDigit = (body: string): number => {
  let sum = 0;
  Array.from(body).forEach((digit, at) => {
    const value = at % 2 === 0 ? 2 * Number(digit) : Number(digit);
    sum += Math.floor(value / 10) + (value % 10);
  });
  return (1000 - sum) % 10;
};

export const ecuador: Nation = {
  country: "ECU",
  givenNames: {
    M: names(
      "LUIS, CARLOS, JORGE, ÁNGEL, MANUEL, SEGUNDO, VÍCTOR, MARCO, KLEVER, WILSON, EDISON, DARWIN, JEFFERSON, BYRON, STALIN, MILTON, FREDDY, PATRICIO, GONZALO, RODRIGO, ANDRÉS, FABIÁN, GALO, ITALO",
    ),
    F: names(
      "MARÍA, ROSA, CARMEN, LUZ, BLANCA, GLADYS, MERCEDES, NARCISA, ROCÍO, JENNY, VERÓNICA, PAOLA, GABRIELA, ESTEFANÍA, MARTHA, DOLORES, FANNY, ELSA, NELLY, XIMENA, TANIA, DAYANA, LORENA, SILVIA",
    ),
  },
  surnames: names(
    "ZAMBRANO, SÁNCHEZ, QUISHPE, GUAMÁN, VERA, CEDEÑO, CHÁVEZ, MERO, LOOR, MACÍAS, ALCÍVAR, TOAPANTA, CHICAIZA, CAIZA, MOREIRA, VILLACÍS, PAREDES, ESPINOZA, GUERRERO, VALENCIA, PONCE, TIPÁN, YÉPEZ, AGUIRRE, BRAVO, CARRIÓN, JÁCOME, LEMA, MALDONADO, NARANJO",
  ),
  places: places(
    "17, QUITO, PICHINCHA; 09, GUAYAQUIL, GUAYAS; 01, CUENCA, AZUAY; 13, PORTOVIEJO, MANABÍ; 18, AMBATO, TUNGURAHUA; 11, LOJA, LOJA; 07, MACHALA, EL ORO; 10, IBARRA, IMBABURA; 06, RIOBAMBA, CHIMBORAZO",
  ),
  streets: names(
    "AV. AMAZONAS, CALLE BOLÍVAR, AV. 10 DE AGOSTO, CALLE SUCRE, AV. DE LAS AMÉRICAS, CALLE OLMEDO",
  ),
  issueYear: 2026,
  validityYears: 10,
  numbersOf: ({ index, place }, draw) => {
    const body = `${place.code}${draw.number(0, 5)}${padded(spread(index, 1_000_000), 6)}`;
    const number = `${body}${luhnDigit(body)}`;
    const finger = (): string =>
      `${draw.one(["A", "E", "I", "V"])}${Array.from({ length: 4 }, () => draw.number(1, 4)).join("")}`;
    return {
      documentNumber: number,
      printedNumber: `${number.slice(0, 9)}-${number.slice(9)}`,
      documentCode: finger() + finger(),
    };
  },
  serialOf: ({ index }) => `A${padded(10_000_000 + spread(index, 9_000_000), 8)}`,
};

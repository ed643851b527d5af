import { spread } from "../draw.ts";
import { type Nation, names, places } from "../nation.ts";

export const panama: Nation = {
  country: "PAN",
  givenNames: {
    M: names(
      "JOSÉ, LUIS, CARLOS, RICARDO, ROBERTO, RUBÉN, OMAR, ABDIEL, RICAURTE, EDUARDO, AZAEL, DIDIER, ELÍAS, JAVIER, ARISTIDES, FRANKLIN, GABRIEL, HERIBERTO, ITZAEL, RODERICK, ULISES, VALENTÍN",
    ),
    F: names(
      "MARÍA, ANA, ITZEL, YARIELA, NITZIA, ZULEIKA, DIOSELINA, EDITH, ARACELLYS, YESENIA, MARISOL, CARMEN, DALYS, MAYRA, VIELKA, XENIA, ROSAURA, ELOÍSA, LURYS, KATHERINE, OMAIRA, GISELA",
    ),
  },
  surnames: names(
    "GONZÁLEZ, RODRÍGUEZ, MORENO, SÁNCHEZ, BATISTA, CASTILLO, DE GRACIA, BARRÍA, CABALLERO, CEDEÑO, CÓRDOBA, DOMÍNGUEZ, ESPINOSA, GUERRA, HIDALGO, JARAMILLO, MIRANDA, NÚÑEZ, ORTEGA, PINZÓN, QUINTERO, RÍOS, SAMUDIO, TORRES, VEGA, VERGARA, ARAÚZ, BONILLA",
  ),
  places: places(
    "8, PANAMÁ, PANAMÁ; 4, DAVID, CHIRIQUÍ; 3, COLÓN, COLÓN; 9, SANTIAGO, VERAGUAS; 2, PENONOMÉ, COCLÉ; 6, CHITRÉ, HERRERA; 7, LAS TABLAS, LOS SANTOS; 13, LA CHORRERA, PANAMÁ OESTE",
  ),
  streets: names("AV. BALBOA, CALLE 50, VÍA ESPAÑA, CALLE PRIMERA, AV. CENTRAL, VÍA ARGENTINA"),
  issueYear: 2026,
  validityYears: 10,
  numbersOf: ({ index, place }) => {
    // Volume 100 to 899 and entry 100 to 2499: no leading zeros, which readers drop.
    const entry = spread(index, 800 * 2400);
    const number = `${place.code}-${100 + Math.floor(entry / 2400)}-${100 + (entry % 2400)}`;
    return { documentNumber: number, printedNumber: number };
  },
  serialOf: ({ index }) => String(100_000_000 + spread(index, 800_000_000)),
};

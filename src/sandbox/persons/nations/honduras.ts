import { spread } from "../draw.ts";
import { type Nation, names, padded, places } from "../nation.ts";

export const honduras: Nation = {
  country: "HND",
  givenNames: {
    M: names(
      "JOSÉ, JUAN, CARLOS, MARIO, ÓSCAR, SANTOS, WILMER, NELSON, MARVIN, DENIS, ELVIN, JORGE, SELVIN, ROGER, MELVIN, FRANKLIN, ALEX, CÉSAR, RENÉ, TULIO, NAHÚN, ADÁN",
    ),
    F: names(
      "MARÍA, ANA, KARLA, SANDRA, NORMA, DILCIA, SUYAPA, REINA, DELMY, IRIS, LOURDES, BESSY, GLORIA, WENDY, KEILA, XIOMARA, YOLANI, MARTHA, ELSA, JUANA, LILIAN, OLGA",
    ),
  },
  surnames: names(
    "HERNÁNDEZ, MARTÍNEZ, LÓPEZ, MEJÍA, RODRÍGUEZ, ZELAYA, CÁCERES, FUNES, BANEGAS, BONILLA, CANALES, DISCUA, ESCOTO, FLORES, GALEAS, IZAGUIRRE, LAGOS, MALDONADO, MATUTE, NÚÑEZ, ORDÓÑEZ, PADILLA, PINEDA, RAUDALES, SABILLÓN, TURCIOS, VALLADARES, ZÚNIGA",
  ),
  places: places(
    "0801, TEGUCIGALPA, FRANCISCO MORAZÁN; 0501, SAN PEDRO SULA, CORTÉS; 0101, LA CEIBA, ATLÁNTIDA; 0601, CHOLUTECA, CHOLUTECA; 0301, COMAYAGUA, COMAYAGUA; 0703, DANLÍ, EL PARAÍSO; 1804, EL PROGRESO, YORO",
  ),
  streets: names("COL. KENNEDY, BARRIO EL CENTRO, COL. PALMIRA, BARRIO GUANACASTE, COL. TREJO, BARRIO ABAJO"),
  issueYear: 2026,
  validityYears: 10,
  numbersOf: ({ index, place, dateOfBirth }) => {
    const [year, entry] = [dateOfBirth.slice(0, 4), padded(spread(index, 100_000), 5)];
    return {
      documentNumber: `${place.code}${year}${entry}`,
      printedNumber: `${place.code} ${year} ${entry}`,
    };
  },
  serialOf: ({ index }) => padded(spread(index, 90_000_000), 9),
};

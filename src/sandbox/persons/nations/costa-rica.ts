import { spread } from "../draw.ts";
import { type Nation, names, padded, places } from "../nation.ts";

export const costaRica: Nation = {
  country: "CRI",
  givenNames: {
    M: names(
      "JOSÉ, JUAN, CARLOS, LUIS, RÓGER, GERARDO, RODOLFO, ÓSCAR, MINOR, ALLAN, RANDALL, ESTEBAN, MARVIN, DAGOBERTO, FABRICIO, KENNETH, ALBERTO, GILBERTO, EDGAR, HERNÁN, MAURICIO, WARNER",
    ),
    F: names(
      "MARÍA, ANA, XINIA, FLOR, MARLENE, YAMILETH, HANNIA, KATTIA, LAURA, SEIDY, ILEANA, GRETTEL, SHIRLEY, VILMA, CINTHYA, NURIA, JEANNETTE, ROCÍO, DAMARIS, TATIANA, LIGIA, ODILIE",
    ),
  },
  surnames: names(
    "ROJAS, VARGAS, JIMÉNEZ, MORA, SOLÍS, ARAYA, QUESADA, CHAVES, ALFARO, SOLANO, CALDERÓN, BRENES, UMAÑA, VILLALOBOS, ZÚÑIGA, CORDERO, CHACÓN, MONGE, BARQUERO, SEGURA, ELIZONDO, UGALDE, PICADO, CASCANTE, MADRIGAL, FALLAS, ESQUIVEL, BADILLA",
  ),
  places: places(
    "1, SAN JOSÉ, SAN JOSÉ; 2, ALAJUELA, ALAJUELA; 3, CARTAGO, CARTAGO; 4, HEREDIA, HEREDIA; 5, LIBERIA, GUANACASTE; 6, PUNTARENAS, PUNTARENAS; 7, LIMÓN, LIMÓN",
  ),
  streets: names("AV. CENTRAL, CALLE 5, BARRIO LUJÁN, AV. SEGUNDA, CALLE REAL, BARRIO EL CARMEN"),
  issueYear: 2026,
  validityYears: 10,
  numbersOf: ({ index, place }) => {
    // Volume 0200 to 1699 and entry 0000 to 9999 of the registry's book.
    const entry = 2_000_000 + spread(index, 14_990_000);
    const [volume, line] = [padded(Math.floor(entry / 10_000), 4), padded(entry % 10_000, 4)];
    return {
      documentNumber: `${place.code}${volume}${line}`,
      printedNumber: `${place.code} ${volume} ${line}`,
    };
  },
  serialOf: ({ index }) => `C${padded(spread(index, 90_000_000), 8)}`,
};

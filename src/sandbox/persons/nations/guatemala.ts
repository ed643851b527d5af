import { spread } from "../draw.ts";
import { type Nation, names, padded, places } from "../nation.ts";

/** The ninth digit of a CUI is the weighted sum of the first eight, modulo 11; 10 is never issued. */
const ninthOf = (body: string): number =>
  Array.from(body).reduce((sum, digit, at) => sum + Number(digit) * (at + 2), 0) % 11;

/** Eight digits whose ninth digit can be issued: one step of the last digit moves the sum by nine. */
const issuable = (start: string): string => (ninthOf(`${start}0`) === 10 ? `${start}1` : `${start}0`);

export const guatemala: Nation = {
  country: "GTM",
  givenNames: {
    M: names(
      "JOSÉ, JUAN, CARLOS, LUIS, MARIO, ÉDGAR, ROLANDO, OTTO, ERICK, BYRON, SELVIN, WALTER, HÉCTOR, JULIO, ESTUARDO, RIGOBERTO, SANTOS, DOMINGO, TOMÁS, GASPAR, MYNOR, RUDY",
    ),
    F: names(
      "MARÍA, ANA, ROSA, SANDRA, LESBIA, MIRNA, ELVIRA, CANDELARIA, JUANA, DOMINGA, GLADIS, HEIDY, MAYRA, OLGA, BRENDA, ASTRID, INGRID, EVELYN, SILVIA, ANGÉLICA, DORA, THELMA",
    ),
  },
  surnames: names(
    "GARCÍA, LÓPEZ, MORALES, PÉREZ, AJANEL, XICAY, TZOC, CHOC, CAAL, TZUL, COC, IXCOY, BATZ, AGUILAR, BARRIOS, CASTELLANOS, DE LEÓN, ESTRADA, GUZMÁN, MONTERROSO, ORELLANA, OVALLE, RECINOS, SICAJÁ, TOBAR, XITUMUL, YAX, ZACARÍAS",
  ),
  places: places(
    "0101, GUATEMALA, GUATEMALA; 0301, ANTIGUA GUATEMALA, SACATEPÉQUEZ; 0901, QUETZALTENANGO, QUETZALTENANGO; 1601, COBÁN, ALTA VERAPAZ; 0501, ESCUINTLA, ESCUINTLA; 1301, HUEHUETENANGO, HUEHUETENANGO; 2201, JUTIAPA, JUTIAPA",
  ),
  streets: names("5A. AVENIDA, 3A. CALLE, CALZADA ROOSEVELT, AV. REFORMA, 12 CALLE, CALLE REAL"),
  issueYear: 2026,
  validityYears: 10,
  numbersOf: ({ index, place }) => {
    const body = issuable(padded(1_600_000 + spread(index, 1_400_000), 7));
    const number = `${body}${ninthOf(body)}${place.code}`;
    return {
      documentNumber: number,
      printedNumber: `${number.slice(0, 4)} ${number.slice(4, 9)} ${number.slice(9)}`,
    };
  },
  serialOf: ({ index }) => padded(spread(index, 900_000_000), 9),
};

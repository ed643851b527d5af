import { earliestDayOnEarth } from "./dates.ts";

/**
 * The place of each issuing country where a day ends last, overseas parts included (IANA time zone database).
 * A holder is nowhere in the country younger than on this place's date.
 */
const lastPlaces: Readonly<Record<string, string>> = {
  ARG: "America/Argentina/Buenos_Aires",
  AUT: "Europe/Vienna",
  BEL: "Europe/Brussels",
  BGR: "Europe/Sofia",
  BOL: "America/La_Paz",
  BRA: "America/Rio_Branco",
  CAN: "America/Vancouver",
  CHE: "Europe/Zurich",
  CHL: "Pacific/Easter",
  COL: "America/Bogota",
  CRI: "America/Costa_Rica",
  CUB: "America/Havana",
  CZE: "Europe/Prague",
  DEU: "Europe/Berlin",
  DNK: "America/Thule",
  DOM: "America/Santo_Domingo",
  ECU: "Pacific/Galapagos",
  ESP: "Atlantic/Canary",
  EST: "Europe/Tallinn",
  FIN: "Europe/Helsinki",
  FRA: "Pacific/Tahiti",
  GBR: "Europe/London",
  GRC: "Europe/Athens",
  GTM: "America/Guatemala",
  HND: "America/Tegucigalpa",
  HRV: "Europe/Zagreb",
  HUN: "Europe/Budapest",
  IRL: "Europe/Dublin",
  ITA: "Europe/Rome",
  LTU: "Europe/Vilnius",
  LUX: "Europe/Luxembourg",
  LVA: "Europe/Riga",
  MEX: "America/Tijuana",
  NIC: "America/Managua",
  NLD: "America/Curacao",
  NOR: "Europe/Oslo",
  PAN: "America/Panama",
  PER: "America/Lima",
  POL: "Europe/Warsaw",
  PRT: "Atlantic/Azores",
  PRY: "America/Asuncion",
  ROU: "Europe/Bucharest",
  SLV: "America/El_Salvador",
  SVK: "Europe/Bratislava",
  SVN: "Europe/Ljubljana",
  SWE: "Europe/Stockholm",
  TUR: "Europe/Istanbul",
  URY: "America/Montevideo",
  USA: "Pacific/Pago_Pago",
  VEN: "America/Caracas",
};

/**
 * The calendar day (YYYY-MM-DD) at the issuing country (alpha-3), where its day ends last. Without a country,
 * or for one that is not listed, the earliest day on Earth: the age of a holder is never counted too high.
 */
export const dayInCountry = (instant: Date, country: string | undefined): string => {
  const place = country === undefined ? undefined : lastPlaces[country];
  if (place === undefined) return earliestDayOnEarth(instant);
  const parts = new Intl.DateTimeFormat("en-US", {
    ["timeZone"]: place,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(instant);
  const of = (type: "year" | "month" | "day"): string =>
    parts.find((part) => part.type === type)?.value ?? "";
  return `${of("year")}-${of("month")}-${of("day")}`;
};

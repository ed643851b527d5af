import type { PassportHolder } from "../../../src/sandbox/specimen/mrz.ts";

const surnames = [
  "Solís Prueba",
  "Rojas Ficticia",
  "Muestra Vega",
  "Ensayo Luna",
  "Núñez Modelo",
  "Ejemplo Ríos",
];
const givenNames = ["Ana María", "Pedro Pablo", "Lucía", "Juan Andrés", "Carla Inés", "Tomás"];
/** Alpha-3 and the page's heading. */
const issuers = [
  ["CHL", "CHILE"],
  ["PER", "PERÚ"],
  ["ARG", "ARGENTINA"],
  ["MEX", "MÉXICO"],
  ["ECU", "ECUADOR"],
  ["URY", "URUGUAY"],
] as const;

export type Invented = { readonly holder: PassportHolder; readonly country: string };

/** A holder who does not exist, with a passport that is valid for years. */
export const inventHolder = (random: () => number): Invented => {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const [issuer, country] = one(issuers);
  const holder = {
    issuer,
    nationality: issuer,
    surname: one(surnames),
    givenNames: one(givenNames),
    number: one(["A", "F", "P", "X"]) + digits(random, 8),
    birth: day(random, 60, 99),
    sex: one(["M", "F"] as const),
    expiry: day(random, 30, 34),
  };
  return { holder, country };
};

export const digits = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join("");

/** YYMMDD within a range of years; no day after the 28th, so that every month has it. */
const day = (random: () => number, from: number, to: number): string =>
  [
    from + Math.floor(random() * (to - from + 1)),
    1 + Math.floor(random() * 12),
    1 + Math.floor(random() * 28),
  ]
    .map((part) => String(part).padStart(2, "0"))
    .join("");

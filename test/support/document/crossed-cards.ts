import { personAt } from "#sandbox/persons/persons";
import type { CardHolder } from "#sandbox/specimen/cards/card-holder";
import { inDigits } from "#sandbox/specimen/cards/card-holder";
import { type CardLayout, printed } from "#sandbox/specimen/cards/card-layout";
import { type CardCountry, layoutOf } from "#sandbox/specimen/cards/cards";
import { writeCardLines } from "#sandbox/specimen/cards/td1";

/** Persons whose cards are drawn. Their faces are drawn too, so that no image of a real person is needed. */
const indices = [7, 12] as const;

/** What a card of a country without a model prints on its front: headings, labels and their values. */
type FrontOf = (holder: CardHolder) => CardLayout["front"];

const lastNames = ({ surnames }: CardHolder): string => surnames.join(" ");
const givenNames = (holder: CardHolder): string => holder.givenNames.join(" ");

const fronts = {
  PRT: (holder) =>
    printed(
      [0.3, 0.06, "CARTAO DE CIDADAO"],
      [0.36, 0.2, "APELIDO(S) / SURNAME", "label"],
      [0.36, 0.25, lastNames(holder)],
      [0.36, 0.32, "NOME(S) / GIVEN NAME", "label"],
      [0.36, 0.37, givenNames(holder)],
      [0.36, 0.5, "SEXO / SEX", "label"],
      [0.36, 0.55, holder.gender],
      [0.36, 0.65, "DATA DE NASCIMENTO / DATE OF BIRTH", "label"],
      [0.36, 0.7, inDigits(holder.dateOfBirth, " ")],
    ),
  ESP: (holder) =>
    printed(
      [0.2, 0.04, "REINO DE ESPAÑA"],
      [0.2, 0.1, "DOCUMENTO NACIONAL DE IDENTIDAD"],
      [0.36, 0.2, "APELLIDOS", "label"],
      [0.36, 0.25, lastNames(holder)],
      [0.36, 0.33, "NOMBRE", "label"],
      [0.36, 0.38, givenNames(holder)],
      [0.36, 0.46, "SEXO", "label"],
      [0.36, 0.51, holder.gender],
      [0.5, 0.46, "FECHA DE NACIMIENTO", "label"],
      [0.5, 0.51, inDigits(holder.dateOfBirth, " ")],
      [0.36, 0.6, "NÚM SOPORTE", "label"],
      [0.36, 0.65, holder.cardSerial],
      [0.36, 0.74, "VALIDEZ", "label"],
      [0.36, 0.79, inDigits(holder.expiryDate, " ")],
    ),
  URY: (holder) =>
    printed(
      [0.2, 0.04, "REPÚBLICA ORIENTAL DEL URUGUAY"],
      [0.2, 0.1, "DOCUMENTO DE IDENTIDAD"],
      [0.36, 0.2, "Apellidos", "label"],
      [0.36, 0.25, lastNames(holder)],
      [0.36, 0.32, "Nombres", "label"],
      [0.36, 0.37, givenNames(holder)],
      [0.36, 0.45, "Nacionalidad", "label"],
      [0.36, 0.5, "URUGUAYA"],
      [0.36, 0.57, "Fecha de nacimiento", "label"],
      [0.36, 0.62, inDigits(holder.dateOfBirth, "/")],
      [0.36, 0.7, "N° de documento", "label"],
      [0.36, 0.75, holder.cardSerial],
      [0.36, 0.82, "Fecha de vencimiento", "label"],
      [0.36, 0.87, inDigits(holder.expiryDate, "/")],
    ),
  POL: (holder) =>
    printed(
      [0.2, 0.04, "RZECZPOSPOLITA POLSKA"],
      [0.2, 0.1, "DOWÓD OSOBISTY / IDENTITY CARD"],
      [0.36, 0.2, "NAZWISKO / SURNAME", "label"],
      [0.36, 0.25, lastNames(holder)],
      [0.36, 0.33, "IMIONA / GIVEN NAMES", "label"],
      [0.36, 0.38, givenNames(holder)],
      [0.36, 0.47, "OBYWATELSTWO / NATIONALITY", "label"],
      [0.36, 0.52, "POLSKIE"],
      [0.36, 0.6, "NUMER DOWODU / IDENTITY CARD NUMBER", "label"],
      [0.36, 0.65, holder.cardSerial],
      [0.36, 0.73, "DATA URODZENIA / DATE OF BIRTH", "label"],
      [0.36, 0.78, inDigits(holder.dateOfBirth, ".")],
    ),
  // Labels of one language that no reader of this service knows.
  EST: (holder) =>
    printed(
      [0.2, 0.04, "EESTI VABARIIK"],
      [0.2, 0.1, "ISIKUTUNNISTUS"],
      [0.36, 0.2, "PEREKONNANIMI", "label"],
      [0.36, 0.25, lastNames(holder)],
      [0.36, 0.33, "EESNIMED", "label"],
      [0.36, 0.38, givenNames(holder)],
      [0.36, 0.47, "SUGU", "label"],
      [0.36, 0.52, holder.gender],
      [0.36, 0.6, "SUNNIAEG", "label"],
      [0.36, 0.65, inDigits(holder.dateOfBirth, ".")],
      [0.36, 0.73, "KEHTIV KUNI", "label"],
      [0.36, 0.78, inDigits(holder.expiryDate, ".")],
    ),
} as const satisfies Readonly<Record<string, FrontOf>>;

type OtherCountry = keyof typeof fronts;

const isOther = (country: CrossedCountry): country is OtherCountry => Object.hasOwn(fronts, country);

/** Five countries with a model, five without. */
export const crossedCountries = [
  "CHL",
  "PER",
  "ECU",
  "ARG",
  "HND",
  "PRT",
  "ESP",
  "URY",
  "POL",
  "EST",
] as const satisfies readonly (CardCountry | OtherCountry)[];

export type CrossedCountry = (typeof crossedCountries)[number];

export type Person = ReturnType<typeof personAt>;

/** An invented person with a number of the country. */
export const personOf = (country: CrossedCountry, index: number): Person =>
  personAt(isOther(country) ? "CHL" : country, index);

/** A card in the form of ICAO Doc 9303-5 that no model describes. */
const otherCard = (country: OtherCountry, person: Person): CardLayout => {
  const { index } = person;
  const serial = `${country.slice(0, 2)}${String(100_003 + index * 7919).padStart(7, "0")}`;
  const holder = { ...person, country, cardSerial: serial };
  return {
    front: fronts[country](holder),
    back: printed([0.1, 0.1, "IDEM ARTIFICIAL"]),
    mrz: writeCardLines(holder, { code: "ID", number: serial }),
  };
};

export const cardOf = (country: CrossedCountry, person: Person): CardLayout =>
  isOther(country) ? otherCard(country, person) : layoutOf(country, person);

/**
 * The cards of two persons of a country. `born`: on the same day, of the same sex, and issued and expiring on
 * the same days, so that names and numbers alone differ.
 */
export const twoCards = (
  country: CrossedCountry,
  born: "apart" | "together" = "apart",
): readonly [CardLayout, CardLayout] => {
  const [first, second] = indices;
  const [one, other] = [personOf(country, first), personOf(country, second)];
  const { dateOfBirth, gender, issueDate, expiryDate } = one;
  return [
    cardOf(country, one),
    cardOf(country, born === "apart" ? other : { ...other, dateOfBirth, gender, issueDate, expiryDate }),
  ];
};

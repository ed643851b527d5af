import { type Draw, makeDraw } from "./draw.ts";
import type { Nation, Seat } from "./nation.ts";
import { argentina } from "./nations/argentina.ts";
import { chile } from "./nations/chile.ts";
import { costaRica } from "./nations/costa-rica.ts";
import { ecuador } from "./nations/ecuador.ts";
import { guatemala } from "./nations/guatemala.ts";
import { honduras } from "./nations/honduras.ts";
import { panama } from "./nations/panama.ts";
import { peru } from "./nations/peru.ts";
import {
  personsPerCountry,
  type SandboxCountry,
  type SandboxFace,
  type SandboxPerson,
  sandboxCountries,
} from "./sandbox-person.ts";

const nations = {
  ECU: ecuador,
  CRI: costaRica,
  ARG: argentina,
  PER: peru,
  GTM: guatemala,
  PAN: panama,
  HND: honduras,
  CHL: chile,
} as const satisfies Readonly<Record<SandboxCountry, Nation>>;

/**
 * The person of a country at an index, 0 to 4999; the same for ever. 0 and 1 are men with the faces of the
 * demo, all others have drawn faces. Throws RangeError for another index.
 */
export const personAt = (country: SandboxCountry, index: number): SandboxPerson => {
  const { person, draw } = startPerson(country, index);
  const { gender, surnames } = person;
  const nation = nations[country];
  const civilStatus = draw.one(["single", "single", "married", "married", "divorced", "widowed"]);
  const parent = (sex: "M" | "F", surname: string): string =>
    `${draw.one(nation.givenNames[sex])} ${surname} ${draw.one(nation.surnames)}`;
  const spouse = parent(gender === "M" ? "F" : "M", draw.one(nation.surnames));
  return {
    ...person,
    civilStatus,
    ...(civilStatus === "married" ? { spouseName: spouse } : {}),
    fatherName: parent("M", surnames[0]),
    motherName: parent("F", surnames[1]),
    address: `${draw.one(nation.streets)} ${draw.number(10, 2990)}`,
  };
};

/** The canonical number alone, without the rest of the person. */
const numberAt = (country: SandboxCountry, index: number): string =>
  startPerson(country, index).person.documentNumber;

/**
 * Finds persons by their canonical number; the index of a country is built on its first question, in some
 * milliseconds.
 */
export const makeFindPerson = (): ((
  country: SandboxCountry,
  number: string,
) => SandboxPerson | undefined) => {
  const byNumber = new Map<SandboxCountry, ReadonlyMap<string, number>>();
  return (country, number) => {
    const known = byNumber.get(country) ?? indexOf(country);
    byNumber.set(country, known);
    const index = known.get(number);
    return index === undefined ? undefined : personAt(country, index);
  };
};

const indexOf = (country: SandboxCountry): ReadonlyMap<string, number> =>
  new Map(Array.from({ length: personsPerCountry }, (_, index) => [numberAt(country, index), index]));

type Started = Omit<SandboxPerson, "civilStatus" | "spouseName" | "fatherName" | "motherName" | "address">;

const startPerson = (country: SandboxCountry, index: number): { person: Started; draw: Draw } => {
  if (!Number.isInteger(index) || index < 0 || index >= personsPerCountry) {
    throw new RangeError(`The sandbox has the persons 0 to ${personsPerCountry - 1} of each country`);
  }
  const nation: Nation = nations[country];
  const seed = (sandboxCountries.indexOf(country) + 1) * 1_000_003 + index;
  const draw = makeDraw(seed);
  const face = faceOf(index, seed);
  const gender = face.kind === "photograph" ? "M" : draw.one(["M", "F"]);
  const dateOfBirth = face.kind === "photograph" ? bornIn(draw, 1978, 1990) : bornIn(draw, 1946, 2004);
  const place = draw.one(nation.places);
  const seat: Seat = { index, place, dateOfBirth };
  const person = {
    country,
    index,
    ...nation.numbersOf(seat, draw),
    cardSerial: nation.serialOf(seat),
    givenNames: draw.pair(nation.givenNames[gender]),
    surnames: draw.pair(nation.surnames),
    dateOfBirth,
    gender,
    nationality: country,
    city: place.city,
    province: place.province,
    placeCode: place.code,
    ...datesOf(draw, nation),
    face,
  } as const;
  return { person, draw };
};

const faceOf = (index: number, seed: number): SandboxFace =>
  index < 2 ? { kind: "photograph", of: index === 0 ? "holder" : "impostor" } : { kind: "drawn", seed };

/** A day before the 29th, which every month has. */
const bornIn = (draw: Draw, from: number, to: number): string =>
  dateOf(draw.number(from, to), draw.number(1, 12), draw.number(1, 28));

const dateOf = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** Issued in the first months of the year: past on every clock that runs this. */
const datesOf = (
  draw: Draw,
  { issueYear, validityYears }: Nation,
): { readonly issueDate: string; readonly expiryDate: string } => {
  const [month, day] = [draw.number(1, 5), draw.number(1, 28)];
  return {
    issueDate: dateOf(issueYear, month, day),
    expiryDate: dateOf(issueYear + validityYears, month, day),
  };
};

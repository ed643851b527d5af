import { describe, expect, it } from "vitest";
import { readCsv } from "#contract/tabular/csv";
import { readPepCsv as readRows } from "./pep-csv.ts";
import { readPepList } from "./pep-list.ts";

const readPepCsv = (text: string) => readRows(text, readCsv);
const csv = `lastName,firstName,birthDate,office
"Muñoz Prueba","Franco ""El"" Andrés",1980-03-14,"Minister, retired"
Solís,Ana,1990
Quispe,Rosa,
Ågren,Bo,1971-02-03`;

const head = { format: "idem-pep-1", source: "Register", version: "1", importedAt: "" };
const listOf = (text: string) => readPepList(JSON.stringify({ ...head, ...readPepCsv(text) }));
const list = listOf(csv);
const count = (lastName: string, firstName: string, dateOfBirth: string | null = null) =>
  list.findMatches({ lastName, firstName, dateOfBirth }).count;

describe("a list of exposed persons", () => {
  it.each([
    ["as an MRZ writes it", "MUNOZ PRUEBA", "FRANCO EL ANDRES", "1980-03-14", 1],
    ["with a shortened given name", "MUNOZ PRUEBA", "FRANCO", "1980-03-14", 1],
    ["with a letter that a reader mistook", "MUN0Z PRUEBA", "FRANCO EL ANDRES", "1980-03-14", 1],
    ["of two parts, one of them misread", "AGREM", "BO", "1971-02-03", 1],
    ["misread, on another day", "AGREM", "BO", "1971-02-04", 0],
    ["with another birth date", "MUNOZ PRUEBA", "FRANCO EL ANDRES", "1980-03-15", 0],
    ["of the year that the list has", "SOLIS", "ANA", "1990-07-01", 1],
    ["of another year", "SOLIS", "ANA", "1991-07-01", 0],
    ["for whom the list has no date", "QUISPE", "ROSA", "1960-01-01", 1],
    ["shortened, for whom the list has no date", "QUISPE", "ROSA MARIA", "1960-01-01", 0],
    ["transliterated", "AAGREN", "BO", "1971-02-03", 1],
    ["that shares a given name alone", "PEREZ", "ANA", "1990-07-01", 0],
    ["that is not on it", "PEREZ", "JUAN", null, 0],
  ] as const)("is matched by a name %s %5$i times", (_, lastName, firstName, dateOfBirth, matches) => {
    expect(count(lastName, firstName, dateOfBirth)).toBe(matches);
  });

  it.each([
    ["whole", "SOLIS PRADO", "ANA MARIA", "1990-07-01", 1],
    ["shortened", "SOLIS", "ANA", "1990-07-01", 1],
    ["with a part more", "SOLIS PRADO", "ANA MARIA LUZ", "1990-07-01", 1],
    ["with other given names", "SOLIS PRADO", "EVA LUZ", "1990-07-01", 0],
    ["shortened, on another day", "SOLIS", "ANA", "1990-07-02", 0],
    ["whole, of whom no date is known", "QUISPE", "ROSA", "1960-01-01", 1],
    ["shortened, of whom no date is known", "QUISPE", "ROSA LUZ", "1960-01-01", 0],
  ] as const)(
    "that does not part names is matched by one %s %5$i times",
    (_, lastName, firstName, dateOfBirth, matches) => {
      const whole = listOf("name,birthDate\nAna María Solís Prado,1990-07-01\nQuispe Rosa,");
      expect(whole.findMatches({ lastName, firstName, dateOfBirth })).toMatchObject({ count: matches });
    },
  );

  it("states its origin, and refuses a text that is not a list", () => {
    expect(list).toMatchObject({ source: "Register", version: "1", size: 4 });
    expect(() => readPepList("{")).toThrow("not JSON");
    expect(() => readPepList('{"format":"x"}')).toThrow("idem pep import");
    const people = [["Solís", "Ana", null]];
    expect(() => readPepList(JSON.stringify({ ...head, people, lines: [] }))).toThrow("idem pep import");
  });

  it("returns the lines of the matches in the imported file", () => {
    const text =
      'name,birthDate,office\nBo Ågren,1971,"Minister,\nretired"\n\nRosa Quispe,1960,\nQuispe Rosa,,';
    const rosa = { lastName: "QUISPE", firstName: "ROSA", dateOfBirth: "1960-01-01" };
    expect(listOf(text).findMatches(rosa)).toEqual({ count: 2, lines: [5, 6] });
  });

  it("of an earlier release is read and returns no lines, unless letters of its names were lost", () => {
    const listFrom = (people: unknown) => () => readPepList(JSON.stringify({ ...head, people }));
    const ana = { lastName: "SOLIS", firstName: "ANA", dateOfBirth: null };
    expect(listFrom([["Solís", "Ana", null]])().findMatches(ana)).toEqual({ count: 1 });
    expect(listFrom([["Sol\uFFFDs", "Ana", null]])).toThrow("import it again");
  });
});

describe("CSV", () => {
  it.each([
    ["commas", "Name,BirthDate\r\nAna Solís,1990\r\n\r\n"],
    ["semicolons", "Name;BirthDate\r\nAna Solís;1990\r\n\r\n"],
    ["semicolons and holds commas in cells", '"Name";Office;BirthDate\n"Ana Solís";Minister, retired;1990'],
  ])("takes a whole name, Windows line ends and empty lines where it is separated by %s", (_, text) => {
    expect(readPepCsv(text)).toEqual({ people: [["Ana Solís", "", "1990"]], lines: [2] });
  });

  it.each([
    ["surname\nx", "line 1"],
    ["name\tbirthDate\nAna\t1980", "commas or semicolons"],
    ["name,birthDate\n", "no person"],
    ["name,birthDate\n,\n\n", "no person"],
    ["name,birthDate\nBo,\nAna Sol\uFFFDs,1980", "line 3"],
    ['name,office\nBo,"Minister\nretired"\n,Judge of Ana', "line 4"],
    ["name,birthDate\nAna,14.03.1980", "line 2"],
    ["name,birthDate\nAna,1980-02-31", "line 2"],
    ["lastName,firstName\n,Ana", "line 2"],
    ['name\n"Ana', "not CSV"],
  ])("refuses %j and names the line, not the person", (text, place) => {
    expect(() => readPepCsv(text)).toThrow(place);
    expect(() => readPepCsv(text)).not.toThrow("Ana");
  });
});

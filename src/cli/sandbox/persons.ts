import { personAt } from "#sandbox/persons/persons";
import { personsPerCountry } from "#sandbox/persons/sandbox-person";
import { parseOptions, print, printTable, type Run } from "../command.ts";
import { countryOf, numberOf } from "./options.ts";

export const runPersons: Run = async (args) => {
  const { values } = parseOptions(args, {
    country: { type: "string" },
    count: { type: "string", default: "10" },
    from: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
  });
  const country = countryOf(values.country);
  const from = numberOf("from", values.from, personsPerCountry - 1);
  const count = Math.min(numberOf("count", values.count, personsPerCountry), personsPerCountry - from);
  const listed = Array.from({ length: count }, (_, at) => personAt(country, from + at));
  if (values.json) {
    listed.forEach((person) => print(JSON.stringify(person)));
    return 0;
  }
  printTable([
    ["index", "number", "code", "surnames", "given names", "born", "sex"],
    ...listed.map((person) => [
      String(person.index),
      person.printedNumber,
      person.documentCode ?? "-",
      person.surnames.join(" "),
      person.givenNames.join(" "),
      person.dateOfBirth,
      person.gender,
    ]),
  ]);
  return 0;
};

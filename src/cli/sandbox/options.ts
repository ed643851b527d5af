import { personAt } from "#sandbox/persons/persons";
import {
  personsPerCountry,
  type SandboxCountry,
  type SandboxPerson,
  sandboxCountries,
} from "#sandbox/persons/sandbox-person";
import { suggestion, UsageError } from "../command.ts";

/** The country of an option. Throws UsageError for another. */
export const countryOf = (text: string | undefined): SandboxCountry => {
  const country = sandboxCountries.find((one) => one === text?.toUpperCase());
  if (country !== undefined) return country;
  const given =
    text === undefined
      ? "--country is missing."
      : `Unknown country "${text}".${suggestion(text, sandboxCountries)}`;
  throw new UsageError(`${given} Use one of ${sandboxCountries.join(", ")}.`);
};

/** A whole number of an option. Throws UsageError for another. */
export const numberOf = (name: string, text: string, max: number): number => {
  if (/^\d{1,6}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`--${name} is ${JSON.stringify(text)}. Use a whole number from 0 to ${max}.`);
};

/** The person of --country and --index. */
export const personOf = (country: string | undefined, index: string): SandboxPerson =>
  personAt(countryOf(country), numberOf("index", index, personsPerCountry - 1));

import { personsPerCountry } from "#sandbox/persons/sandbox-person";
import type { Command } from "../command.ts";

export const persons: Command = {
  help: `Usage: idem sandbox persons --country ECU [--count N] [--from N] [--json]

Prints persons who do not exist, the same every time: number, code, names, date of birth and sex, as the simulated registry
holds them. Each country has ${personsPerCountry}. The first two have the faces of the demo, all others have drawn faces.

  --country   ECU, CRI, ARG, PER, GTM, PAN, HND or CHL
  --count     how many; default 10
  --from      index of the first; default 0
  --json      one whole person per line`,
  run: async (args) => (await import("./persons.ts")).runPersons(args),
};

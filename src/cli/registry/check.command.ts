import type { Command } from "../command.ts";

export const checkRegistry: Command = {
  help: `Usage: idem registry check --country ECU --test|--live --number NUMBER [--code CODE] [--gender M|F] [--image FILE]
                           [--tenant NAME] [--show]

Asks the registry that IDEM_REGISTRIES names, and prints which fields its answer has. Values are left out: with --show they are
printed, and stay on your screen and in its history. A question to a live registry may have a price. The tenant's evidence keeps an entry
for each question.

  --country  country of the registry
  --test     registry of test keys; --live that of live keys
  --number   number of the person
  --code     second number: código dactilar (ECU, needed), número de trámite (ARG)
  --gender   sex (ARG, needed)
  --image    image of the face, where the registry asks for it
  --show     prints the values
  --tenant   name of the tenant; needed when there are several

Exit code 1: the registry failed, or answered about another number.
It works while the service runs.`,
  run: async (args) => (await import("./check.ts")).runCheckRegistry(args),
};

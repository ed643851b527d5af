import { type Command, wrongAction } from "../command.ts";

const take: Command = {
  help: `Usage: idem pep import FILE --source TEXT --version TEXT --out FILE

Reads CSV in UTF-8 ("CSV UTF-8" in Excel) with a heading line, lastName,firstName,birthDate or name,birthDate (YYYY-MM-DD,
YYYY or empty), separated by commas or semicolons, and writes the list for IDEM_PEP_LIST. A running service reads a new
list at its next start. A person reviews every possible match (126); the service never decides it.

  --source   publisher of the list, for reviewers of a match
  --version  the publisher's date or number of the list
  --out      file of the list; every process needs a copy`,
  run: async (args) => (await import("./pep.ts")).runTake(args),
};

export const pep: Command = {
  help: `Usage: idem pep import FILE --source TEXT --version TEXT --out FILE

More: idem pep import --help`,
  topics: { import: async () => take },
  run: async ([given]) => {
    throw wrongAction("pep", given, ["import"]);
  },
};

import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { readCsv } from "#contract/tabular/csv";
import { type PepRows, readPepCsv } from "#judging/document/decision/watchlists/pep-csv";
import { readPepList } from "#judging/document/decision/watchlists/pep-list";
import { type Command, CommandError, parseOptions, say, UsageError, wrongAction } from "../command.ts";
import { csvAdvice, readText } from "../text-file.ts";

const take: Command = {
  help: `Usage: idem pep import FILE --source TEXT --version TEXT --out FILE

Reads CSV in UTF-8 ("CSV UTF-8" in Excel) with a heading line, lastName,firstName,birthDate or name,birthDate (YYYY-MM-DD,
YYYY or empty), separated by commas or semicolons, and writes the list for IDEM_PEP_LIST. A running service reads a new
list at its next start. A person reviews every possible match (126); the service never decides it.

  --source   publisher of the list, for reviewers of a match
  --version  the publisher's date or number of the list
  --out      file of the list; every process needs a copy`,
  run: async (args) => {
    const { values, positionals } = parseOptions(
      args,
      { source: { type: "string" }, version: { type: "string" }, out: { type: "string" } },
      true,
    );
    const { source, version, out } = values;
    const [file] = positionals;
    if (file === undefined || source === undefined || version === undefined || out === undefined) {
      throw new UsageError("Usage: idem pep import FILE --source TEXT --version TEXT --out FILE");
    }
    const { people, lines } = await readPeople(file);
    const list = {
      format: "idem-pep-1",
      source,
      version,
      importedAt: new Date().toISOString(),
      people,
      lines,
    };
    await writeList(out, `${JSON.stringify(list)}\n`);
    say(`${people.length} ${people.length === 1 ? "person" : "people"} in ${out}.`);
    say(`Set IDEM_PEP_LIST to it, and restart the running services.`);
    return 0;
  },
};

/**
 * Writes only a list that the service can read: first to a temporary file, then renamed, so that a start
 * never reads half a list.
 */
const writeList = async (out: string, text: string): Promise<void> => {
  try {
    readPepList(text);
  } catch (cause) {
    throw new UsageError("Set --source to 1 to 200 characters and --version to 1 to 100", { cause });
  }
  const beside = `${out}.${randomUUID()}.new`;
  try {
    await writeFile(beside, text, { mode: 0o600, flag: "wx" });
    await rename(beside, out);
  } catch (cause) {
    await rm(beside, { force: true });
    const reason = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw new CommandError(`${out} cannot be written (${String(reason)}).`, { cause });
  }
};

const readPeople = async (file: string): Promise<PepRows> => {
  const text = await readText(file, file, csvAdvice);
  try {
    return readPepCsv(text, readCsv);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${file}: ${reason}`, { cause });
  }
};

export const pep: Command = {
  help: `Usage: idem pep import FILE --source TEXT --version TEXT --out FILE

More: idem pep import --help`,
  topics: { import: async () => take },
  run: async ([given]) => {
    throw wrongAction("pep", given, ["import"]);
  },
};

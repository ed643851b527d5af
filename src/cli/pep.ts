import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { type PepRows, readPepCsv } from "../document/outside/pep-csv.ts";
import { readPepList } from "../document/outside/pep-list.ts";
import { type Command, CommandError, parseOptions, say, UsageError } from "./command.ts";
import { csvAdvice, readText } from "./text-file.ts";

const take: Command = {
  summary: "make a list of politically exposed persons from a file",
  help: `Usage: idem pep import FILE --source TEXT --version TEXT --out FILE

Reads CSV in UTF-8 ("CSV UTF-8" in Excel) with a heading line, lastName,firstName,birthDate or name,birthDate (YYYY-MM-DD,
YYYY or empty), separated by commas or semicolons, and writes the list that IDEM_PEP_LIST names; a service that runs reads a new one when it is started again. Whoever could be on it is decided by a person (126), never by this service.

  --source   who made the list, for whoever reviews a match
  --version  its date or number there
  --out      file of the list; a copy of it for every process`,
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
    say(`Name it in IDEM_PEP_LIST. A service that runs reads it when it is started again.`);
    return 0;
  },
};

/** Writes only what the service will read, beside the list and then into its place: a service that starts meanwhile reads a whole one. */
const writeList = async (out: string, text: string): Promise<void> => {
  try {
    readPepList(text);
  } catch (cause) {
    throw new UsageError("--source takes 1 to 200 characters, --version 1 to 100", { cause });
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
    return readPepCsv(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandError(`${file}: ${reason}`, { cause });
  }
};

export const pep: Command = {
  summary: "import a list of politically exposed persons",
  help: `Usage: idem pep import FILE --source TEXT --version TEXT --out FILE

idem pep import --help tells more.`,
  topics: { import: async () => take },
  run: async () => {
    throw new UsageError("Say what to do: idem pep import FILE");
  },
};

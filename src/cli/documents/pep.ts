import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { readCsv } from "#contract/tabular/csv";
import { type PepRows, readPepCsv } from "#judging/document/decision/watchlists/pep-csv";
import { readPepList } from "#judging/document/decision/watchlists/pep-list";
import { CommandError, parseOptions, type Run, say, UsageError } from "../command.ts";
import { csvAdvice, readText } from "../kit/text-file.ts";

export const runTake: Run = async (args) => {
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

import { isCountryCode } from "#contract/country";
import type { DocumentList } from "#document/document-list";
import type { Tenant } from "#storage/store";
import { readConfig } from "../config.ts";
import { openDocumentList, openStore } from "../open-storage.ts";
import {
  type Command,
  CommandError,
  opening,
  parseOptions,
  print,
  printTable,
  say,
  UsageError,
} from "./command.ts";
import { numbersBytesMax, parseNumbers } from "./document-numbers.ts";
import { findDeployment } from "./first-start.ts";
import { findTenant } from "./tenant.ts";
import { parseWorlds } from "./users.ts";

const withList = async (
  tenantName: string | undefined,
  work: (list: DocumentList, tenant: Tenant) => Promise<number>,
): Promise<number> => {
  const config = await findDeployment(readConfig());
  const { store, close } = await opening(openStore(config));
  try {
    return await work(openDocumentList(store, config), await findTenant(store, tenantName));
  } finally {
    await close();
  }
};

const noteLengthMax = 500;

export const block: Command = {
  summary: "list a document that is known from fraud",
  help: `Usage: idem document block --country CODE --world live|test [--note TEXT] [--tenant NAME] < FILE

Reads numbers of documents from standard input, one a line, so that none stands in the list of processes or the history of
a shell. A document with such a number is declined (106). Of a number only a keyed hash is kept: it cannot be read back.
Prints the id of each entry, by which it is unblocked.

  --country  issuing country, ISO 3166-1 alpha-3
  --world    in which world it is listed
  --note     why, for whoever reads the list; sealed, at most ${noteLengthMax} characters
  --tenant   name of the tenant; needed when there are several

On the embedded store, stop the service first.`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      country: { type: "string" },
      world: { type: "string" },
      note: { type: "string", default: "" },
      tenant: { type: "string" },
    });
    const { country, note, world } = values;
    if (country === undefined || !isCountryCode(country)) {
      throw new UsageError("Say which country issued it: --country CODE, as CHL");
    }
    if (world === undefined) {
      throw new UsageError("Say in which world: --world live or --world test");
    }
    if (note.length > noteLengthMax) {
      throw new UsageError(`--note takes at most ${noteLengthMax} characters`);
    }
    const [chosen] = parseWorlds(world);
    const numbers = await readNumbers();
    return await withList(values.tenant, async (list, tenant) => {
      for (const { line, number } of numbers) {
        const id = await list.add({ tenantId: tenant.id, world: chosen! }, { country, number, note });
        if (id === undefined) say(`Line ${line} is listed already.`);
        else print(id);
      }
      return 0;
    });
  },
};

/** Throws CommandError without naming a number: it is somebody's. */
const readNumbers = async (): Promise<ReturnType<typeof parseNumbers>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (process.stdin.isTTY) say("Reading numbers from the terminal, one a line; Ctrl+D ends them.");
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > numbersBytesMax) throw new CommandError("Standard input is too long for a list of numbers.");
    chunks.push(piece);
  }
  return parseNumbers(Buffer.concat(chunks).toString("utf8"));
};

export const blocked: Command = {
  summary: "list the documents that are known from fraud",
  help: `Usage: idem document blocked [--tenant NAME]

Prints the entries of a tenant: id, world, since when, and what was noted. The numbers themselves are kept nowhere.`,
  run: async (args) => {
    const { values } = parseOptions(args, { tenant: { type: "string" } });
    return await withList(values.tenant, async (list, tenant) => {
      const rows: (readonly string[])[] = [];
      for await (const { id, world, at, note } of list.list(tenant.id)) {
        rows.push([id, world, at.toISOString(), note]);
      }
      if (rows.length === 0) {
        say("No document is listed.");
        return 0;
      }
      printTable([["id", "world", "listed", "note"], ...rows]);
      return 0;
    });
  },
};

export const unblock: Command = {
  summary: "take a document off that list",
  help: `Usage: idem document unblock --id ID [--tenant NAME]

Removes an entry; the tenant's evidence keeps that it was there.`,
  run: async (args) => {
    const { values } = parseOptions(args, { id: { type: "string" }, tenant: { type: "string" } });
    const { id } = values;
    if (id === undefined) {
      throw new UsageError("Say which entry: --id ID, as idem document blocked prints it");
    }
    return await withList(values.tenant, async (list, tenant) => {
      if (!(await list.remove(tenant.id, id))) {
        throw new CommandError("No such document is listed.");
      }
      say("Unblocked the document.");
      return 0;
    });
  },
};

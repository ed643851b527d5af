import { openDocumentList } from "#app/storage";
import { isCountryCode } from "#contract/country";
import type { DocumentList } from "#judging/document/decision/history/listed-documents";
import { readConfig } from "#machine/config/config";
import type { Tenant } from "#trust/tenants/store/tenant";
import { findTenant } from "../admin/tenant.ts";
import {
  CommandError,
  jsonOption,
  parseOptions,
  print,
  printListing,
  type Run,
  say,
  UsageError,
} from "../command.ts";
import { noteLengthMax } from "../note-length.ts";
import { openCommandStore } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { parseEnvironments } from "../users/user-list.ts";
import { wayOut } from "../way-out.ts";
import { numbersBytesMax, parseNumbers } from "./document-numbers.ts";

const withList = async (
  tenantName: string | undefined,
  work: (list: DocumentList, tenant: Tenant) => Promise<number>,
): Promise<number> => {
  const config = await findDeployment(readConfig());
  const { store, close } = await openCommandStore(config, wayOut.stop);
  try {
    return await work(openDocumentList(store, config), await findTenant(store, tenantName));
  } finally {
    await close();
  }
};

export const runBlock: Run = async (args) => {
  const { values } = parseOptions(args, {
    country: { type: "string" },
    environment: { type: "string" },
    note: { type: "string", default: "" },
    tenant: { type: "string" },
  });
  const { country, note, environment } = values;
  if (country === undefined || !isCountryCode(country)) {
    throw new UsageError("Name the issuing country: --country CODE, as CHL");
  }
  if (environment === undefined) {
    throw new UsageError("Name the environment: --environment live or --environment test");
  }
  if (note.length > noteLengthMax) {
    throw new UsageError(`Shorten --note to at most ${noteLengthMax} characters`);
  }
  const [chosen] = parseEnvironments(environment);
  const numbers = await readNumbers();
  return await withList(values.tenant, async (list, tenant) => {
    for (const { line, number } of numbers) {
      const id = await list.add({ tenantId: tenant.id, environment: chosen! }, { country, number, note });
      if (id === undefined) say(`Line ${line} is listed already.`);
      else print(id);
    }
    return 0;
  });
};

/** Throws CommandError without the number in its message: numbers are personal data. */
const readNumbers = async (): Promise<ReturnType<typeof parseNumbers>> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  if (process.stdin.isTTY) say("Type one number per line; end with Ctrl+D.");
  for await (const chunk of process.stdin) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes > numbersBytesMax) throw new CommandError("Standard input is too long for a list of numbers.");
    chunks.push(piece);
  }
  return parseNumbers(Buffer.concat(chunks).toString("utf8"));
};

export const runBlocked: Run = async (args) => {
  const { values } = parseOptions(args, { tenant: { type: "string" }, ...jsonOption });
  return await withList(values.tenant, async (list, tenant) => {
    const rows: (readonly string[])[] = [];
    for await (const { id, environment, at, note, isForged } of list.list(tenant.id)) {
      rows.push([id, environment, at.toISOString(), isForged === true ? "forged" : "in use", note]);
    }
    printListing(["id", "environment", "listed", "state", "note"], rows, {
      isJson: values.json,
      empty: "No document is listed.",
    });
    return 0;
  });
};

export const runUnblock: Run = async (args) => {
  const { values } = parseOptions(args, { id: { type: "string" }, tenant: { type: "string" } });
  const { id } = values;
  if (id === undefined) {
    throw new UsageError("Name the entry: --id ID, from idem document blocked");
  }
  return await withList(values.tenant, async (list, tenant) => {
    if (!(await list.remove(tenant.id, id))) {
      throw new CommandError("No such document is listed.");
    }
    say("Unblocked the document.");
    return 0;
  });
};

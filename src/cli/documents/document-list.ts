import { openDocumentList } from "#app/storage";
import type { DocumentList } from "#judging/document/decision/history/listed-documents";
import type { Tenant } from "#trust/tenants/store/tenant";
import { CommandError, print, printListing, say } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { withTenant } from "../kit/store/with-tenant.ts";
import type * as words from "./document-list.command.ts";
import { numbersBytesMax, parseNumbers } from "./document-numbers.ts";

const withList = (
  name: string | undefined,
  work: (list: DocumentList, tenant: Tenant) => Promise<number>,
): Promise<number> =>
  withTenant(name, ({ sealedStore, config, tenant }) => work(openDocumentList(sealedStore, config), tenant));

export const block: Work<typeof words.block> = async ({ country, environment, note, tenant: name }) => {
  const numbers = await readNumbers();
  return await withList(name, async (list, tenant) => {
    for (const { line, number } of numbers) {
      const id = await list.add({ tenantId: tenant.id, environment }, { country, number, note });
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

export const blocked: Work<typeof words.blocked> = ({ tenant: name, json }) =>
  withList(name, async (list, tenant) => {
    const rows: (readonly string[])[] = [];
    for await (const { id, environment, at, note, isForged } of list.list(tenant.id)) {
      rows.push([id, environment, at.toISOString(), isForged === true ? "forged" : "in use", note]);
    }
    printListing(["id", "environment", "listed", "state", "note"], rows, {
      isJson: json,
      empty: "No document is listed.",
    });
    return 0;
  });

export const unblock: Work<typeof words.unblock> = ({ id, tenant: name }) =>
  withList(name, async (list, tenant) => {
    if (!(await list.remove(tenant.id, id))) {
      throw new CommandError("No such document is listed.");
    }
    say("Unblocked the document.");
    return 0;
  });

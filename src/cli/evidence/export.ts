import { open, rename, rm } from "node:fs/promises";
import { type EvidenceReads, openStoreToRead } from "#app/storage";
import { readConfig } from "#config/config";
import type { Tenant } from "#tenants/store/tenant";
import { chainStart } from "#transactions/evidence";
import { type HeadLine, writeLine } from "#transactions/evidence-file";
import { findTenant } from "../admin/tenant.ts";
import { type Command, CommandError, opening, parseOptions, print, say, UsageError } from "../command.ts";
import { checkFiguresFile } from "../measure/figures-file.ts";
import { describeExport } from "./describe-export.ts";
import { anchorsOf, linksOf } from "./source.ts";

export const exportEvidence: Command = {
  summary: "write a tenant's evidence chain to a file",
  help: `Usage: idem evidence export --tenant NAME [--since SEQ] --out FILE [--json]

Writes the chain of a tenant as JSON Lines: a line with the head (last entry, its hash, number of entries, time), the
time-stamps, then the entries with the bodies that are kept. idem evidence verify --file FILE checks it anywhere. Kept
elsewhere, the head of the file shows later that the chain was cut or replaced: idem evidence verify --against FILE.
It reads alone, needs no master key, and may run beside the service. The file is readable by its owner only: bodies name
users, calls and documents by their random ids.

  --tenant   name of the tenant; needed when there are several
  --since    the export begins after this entry; default 0: the whole chain
  --out      the file; an existing file is replaced without a question when the export is complete
  --json     one JSON object on stdout: entries, lastSeq, headHash, file

Prints the number of entries and the hash of the head.`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      tenant: { type: "string" },
      since: { type: "string", default: "0" },
      out: { type: "string" },
      json: { type: "boolean", default: false },
    });
    if (!/^\d{1,15}$/.test(values.since)) {
      throw new UsageError(
        `--since is ${JSON.stringify(values.since)}. Set it to the position of an entry: 0, 1, 2 …`,
      );
    }
    if (values.out === undefined) {
      throw new UsageError("Name the file: --out FILE");
    }
    await checkFiguresFile("--out", values.out);
    const config = readConfig();
    const opened = await opening(openStoreToRead(config));
    if (opened === undefined) {
      throw new CommandError(`Nothing is stored in ${config.dataDirectory} yet: is IDEM_DATA right?`);
    }
    const { store, close } = opened;
    try {
      const tenant = await findTenant(store, values.tenant);
      const head = await headOf(store, tenant, Number(values.since));
      await writeFile(values.out, (write) => writeAll(store, tenant, head, write));
      print(describeExport(head, values.out, values.json));
      return 0;
    } finally {
      await close();
    }
  },
};

/** The first line of the export: the end of the chain now, and the place where the export begins. */
const headOf = async (store: EvidenceReads, tenant: Tenant, since: number): Promise<HeadLine> => {
  const heads = await store.listChainHeads();
  const { seq: lastSeq, hash: headHash } = heads.find(({ tenantId }) => tenantId === tenant.id) ?? {
    seq: 0,
    hash: chainStart,
  };
  if (since > lastSeq) {
    throw new CommandError(
      `--since is ${since}, but the chain of "${tenant.name}" ends at entry ${lastSeq}.`,
    );
  }
  const [start] = since === 0 ? [] : await store.listLinks(tenant.id, since - 1, 1);
  return {
    type: "head",
    format: 1,
    tenantId: tenant.id,
    tenant: tenant.name,
    since,
    startHash: start?.hash ?? chainStart,
    lastSeq,
    headHash,
    count: lastSeq - since,
    at: Date.now(),
  };
};

type Write = (text: string) => Promise<void>;

/** Writes to a file beside the named one, which takes its name when it is complete and durable. */
const writeFile = async (path: string, work: (write: Write) => Promise<void>): Promise<void> => {
  const partial = `${path}.${process.pid}.part`;
  const handle = await open(partial, "wx", 0o600);
  try {
    await work(async (text) => void (await handle.write(Buffer.from(text, "utf8"))));
    await handle.sync();
    await handle.close();
    await rename(partial, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
};

const progressEvery = 100_000;
const linesPerWrite = 1000;

const writeAll = async (
  store: EvidenceReads,
  { id, name }: Tenant,
  head: HeadLine,
  write: Write,
): Promise<void> => {
  const { since = 0, lastSeq } = head;
  await write(`${writeLine(head)}\n`);
  for await (const { tenantId: _, ...anchor } of anchorsOf(store, id, since === 0 ? 0 : since - 1)) {
    if (anchor.seq > lastSeq) break;
    await write(`${writeLine({ type: "anchor", ...anchor })}\n`);
  }
  let lines: string[] = [];
  let written = 0;
  for await (const { tenantId: _, ...link } of linksOf(store, id, since)) {
    // The chain may have grown since the head was read.
    if (link.seq > lastSeq) break;
    lines.push(`${writeLine({ type: "entry", ...link })}\n`);
    written += 1;
    if (lines.length === linesPerWrite) {
      await write(lines.join(""));
      lines = [];
    }
    if (written % progressEvery === 0) say(`${name}: ${written} of ${lastSeq - since} entries`);
  }
  await write(lines.join(""));
};

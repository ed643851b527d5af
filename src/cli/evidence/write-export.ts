import { type FileHandle, open, rename, rm } from "node:fs/promises";
import type { EvidenceReads } from "#app/storage";
import { chainStart } from "#record/transactions/evidence";
import { type HeadLine, writeLine } from "#record/transactions/evidence-file";
import { anchorsAfter, linksAfter } from "#record/transactions/read-chain";
import type { Tenant } from "#trust/tenants/store/tenant";
import { CommandError } from "../command.ts";

type Start = { readonly seq: number; readonly hash: string };

/**
 * Writes the chain of a tenant after `since` to a file, which takes its name when it is complete and durable.
 * The chain may grow meanwhile: the export ends where no further entry is found. So it holds the receipt of
 * every removed body.
 */
export const writeExport = async (
  store: Pick<EvidenceReads, "listChainHeads" | "listLinks" | "listAnchors">,
  tenant: Tenant,
  since: number,
  path: string,
  onProgress: (entries: number) => void = () => undefined,
): Promise<HeadLine> => {
  const start = await startOf(store, tenant, since);
  const partial = `${path}.${process.pid}.part`;
  const handle = await open(partial, "wx", 0o600);
  try {
    const place = placeOf(tenant, start);
    await handle.appendFile(place);
    await appendAnchors(handle, store, tenant, since);
    const head = headOf(tenant, start, await appendEntries(handle, store, tenant, start, onProgress));
    await fill(handle, place, head);
    await handle.sync();
    await handle.close();
    await rename(partial, path);
    return head;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(partial, { force: true });
    throw error;
  }
};

/** The entry after which the export begins. Throws CommandError if the chain does not hold it. */
const startOf = async (
  store: Pick<EvidenceReads, "listChainHeads" | "listLinks">,
  { id, name }: Tenant,
  since: number,
): Promise<Start> => {
  if (since === 0) return { seq: 0, hash: chainStart };
  const [start] = await store.listLinks(id, since - 1, 1);
  if (start?.seq === since) return { seq: since, hash: start.hash };
  const end = (await store.listChainHeads()).find(({ tenantId }) => tenantId === id)?.seq ?? 0;
  throw new CommandError(
    `--since is ${since}, but the chain of "${name}" holds no such entry: it ends at entry ${end}.`,
  );
};

const headOf = (tenant: Tenant, start: Start, last: Start, at = Date.now()): HeadLine => ({
  type: "head",
  format: 1,
  tenantId: tenant.id,
  tenant: tenant.name,
  since: start.seq,
  startHash: start.hash,
  lastSeq: last.seq,
  headHash: last.hash,
  at,
});

/** The first line, empty: it holds any head of this export. The end of the chain is known last. */
const placeOf = (tenant: Tenant, start: Start): Buffer => {
  const { MAX_SAFE_INTEGER: most } = Number;
  const longest = writeLine(headOf(tenant, start, { seq: most, hash: chainStart }, most));
  return Buffer.from(`${" ".repeat(Buffer.byteLength(longest))}\n`);
};

/** Writes the head into its place. Spaces stay behind it, which are part of no JSON value. */
const fill = async (handle: FileHandle, place: Buffer, head: HeadLine): Promise<void> => {
  place.write(writeLine(head));
  const { bytesWritten } = await handle.write(place, 0, place.length, 0);
  if (bytesWritten !== place.length) throw new Error("The head of the export was not written in full");
};

const appendAnchors = async (
  handle: FileHandle,
  store: Pick<EvidenceReads, "listAnchors">,
  { id }: Tenant,
  since: number,
): Promise<void> => {
  for await (const { tenantId: _, ...anchor } of anchorsAfter(store, id, Math.max(0, since - 1))) {
    await handle.appendFile(`${writeLine({ type: "anchor", ...anchor })}\n`);
  }
};

const progressEvery = 100_000;
const linesPerWrite = 1000;

/** Returns the last entry, or the start if none follows it. */
const appendEntries = async (
  handle: FileHandle,
  store: Pick<EvidenceReads, "listLinks">,
  { id }: Tenant,
  start: Start,
  onProgress: (entries: number) => void,
): Promise<Start> => {
  let last = start;
  let written = 0;
  let lines: string[] = [];
  for await (const { tenantId: _, ...link } of linksAfter(store, id, start.seq)) {
    lines.push(`${writeLine({ type: "entry", ...link })}\n`);
    last = { seq: link.seq, hash: link.hash };
    written += 1;
    if (lines.length === linesPerWrite) {
      await handle.appendFile(lines.join(""));
      lines = [];
    }
    if (written % progressEvery === 0) onProgress(written);
  }
  await handle.appendFile(lines.join(""));
  return last;
};

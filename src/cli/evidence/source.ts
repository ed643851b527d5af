import { access, constants } from "node:fs/promises";
import { chainStart } from "#record/transactions/evidence";
import { type EvidenceLine, type HeadLine, readLine } from "#record/transactions/evidence-file";
import type { Anchor, StoredLink } from "#record/transactions/store/evidence-store";
import { lineBytesMax, readTextLines } from "#record/transactions/text-lines";
import type { ChainSource } from "#record/transactions/verify-evidence";
import { CommandError } from "../command.ts";

/** An exported chain. Made by {@link openEvidenceFile}. */
export type EvidenceFile = {
  readonly head: HeadLine;
  readonly anchors: AsyncIterable<Omit<Anchor, "tenantId">>;
  readonly links: AsyncIterable<StoredLink>;
  readonly start: NonNullable<ChainSource["start"]>;
};

/**
 * Opens an exported chain. Read the anchors first, then the entries. Throws CommandError with the line for a
 * file in another form.
 */
export const openEvidenceFile = async (path: string): Promise<EvidenceFile> => {
  await requireFile(path);
  const lines = parseLines(path);
  const first = (await lines.next()).value;
  if (first?.type !== "head" || first.since === undefined) {
    throw new CommandError(`${path}, line 1: no head of an export. Make one: idem evidence export`);
  }
  const { tenantId, since, startHash = chainStart } = first;
  let pending: EvidenceLine | undefined;
  async function* anchors() {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) return;
      if (value.type !== "anchor") {
        pending = value;
        return;
      }
      yield value;
    }
  }
  async function* links() {
    for (let line = pending; ; ) {
      if (line !== undefined) yield { ...entryIn(path, line), tenantId };
      const { value, done } = await lines.next();
      if (done === true) return;
      line = value;
    }
  }
  return { head: first, anchors: anchors(), links: links(), start: { seq: since, hash: startHash } };
};

/** Throws CommandError for a file that cannot be read. */
export const requireFile = async (path: string): Promise<void> => {
  await access(path, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${path} cannot be read (${error.code ?? error.message}).`);
  });
};

const entryIn = (path: string, line: EvidenceLine) => {
  if (line.type !== "entry") {
    throw new CommandError(`${path}: a line of type "${line.type}" stands among the entries.`);
  }
  const { type: _, ...entry } = line;
  return entry;
};

async function* parseLines(path: string): AsyncGenerator<EvidenceLine, undefined> {
  let number = 0;
  for await (const text of readTextLines(path)) {
    number += 1;
    const line = readLine(text);
    if (line === undefined) {
      const reason =
        Buffer.byteLength(text) < lineBytesMax
          ? "no line of an export. The file was cut or changed."
          : `longer than ${lineBytesMax} bytes, which this command does not read. Verify the store instead.`;
      throw new CommandError(`${path}, line ${number}: ${reason}`);
    }
    yield line;
  }
  return undefined;
}

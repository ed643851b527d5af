import { createHash } from "node:crypto";
import { BackupFault } from "./backup-fault.ts";
import { type ByteReader, makeByteReader } from "./byte-reader.ts";
import {
  isSameEnd,
  type LineOf,
  lineBytesMax,
  type ManifestLine,
  makeTotals,
  readManifestLine,
  writeManifestLine,
} from "./manifest.ts";
import { type BackupSigner, makeDigest } from "./signature.ts";

/** A file of a backup: exactly `bytes` bytes. */
export type ArchivedFile = {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
};

/** What a backup holds, in its order. */
export type Entry =
  | { readonly kind: "statement"; readonly line: LineOf<"backup" | "chain" | "absent" | "damage"> }
  | { readonly kind: "file"; readonly file: ArchivedFile };

/** Takes the lines of the manifest beside the backup, each file with its hash. */
export type TakeLine = (line: ManifestLine) => void | Promise<void>;

/**
 * The plain bytes of a backup: lines of JSON, after the line of a file its bytes and a line with their
 * SHA-256, and at the end the signature over all of it. Memory holds one piece of a file.
 */
export async function* writeArchive(
  entries: AsyncIterable<Entry>,
  takeLine: TakeLine = () => undefined,
  signer?: Pick<BackupSigner, "sign">,
): AsyncGenerator<Uint8Array> {
  const digest = makeDigest();
  for await (const piece of writeEntries(entries, takeLine)) {
    digest.update(piece);
    yield piece;
  }
  if (signer !== undefined) yield textOf(signer.sign(digest.digest()));
}

async function* writeEntries(entries: AsyncIterable<Entry>, takeLine: TakeLine): AsyncGenerator<Uint8Array> {
  const totals = makeTotals();
  for await (const entry of entries) {
    if (entry.kind === "file") {
      const { name, bytes } = entry.file;
      yield textOf({ type: "file", name, bytes });
      const sum = createHash("sha256");
      for await (const piece of exactly(entry.file)) {
        sum.update(piece);
        yield piece;
      }
      const sha256 = sum.digest("hex");
      yield textOf({ type: "hash", sha256 });
      totals.take({ name, bytes, sha256 });
      await takeLine({ type: "file", name, bytes, sha256 });
    } else {
      const { line } = entry;
      if (line.type === "absent") totals.takeAbsent(line.reason);
      yield textOf(line);
      await takeLine(line);
    }
  }
  const end = totals.end();
  yield textOf(end);
  await takeLine(end);
}

const textOf = (line: ManifestLine): Buffer => Buffer.from(writeManifestLine(line));

async function* exactly({ name, bytes, content }: ArchivedFile): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of content) {
    length += piece.length;
    yield piece;
  }
  if (length !== bytes) {
    throw new BackupFault(
      `${name} has changed from ${bytes} to ${length} bytes while it was read. Back up again.`,
    );
  }
}

/** Takes the entries of a backup in their order. `file` must read the whole content. */
export type ArchiveVisitor = {
  readonly statement: (line: LineOf<"backup" | "chain" | "absent" | "damage">) => void | Promise<void>;
  readonly file: (file: ArchivedFile) => Promise<void>;
};

/** What a backup states at its end. */
export type ArchiveEnd = {
  readonly end: LineOf<"end">;
  /** Absent in a backup of an earlier release. */
  readonly signature?: LineOf<"signature">;
  /** Digest of all bytes that the signature covers. */
  readonly digest: Uint8Array;
};

/**
 * Reads what `writeArchive` wrote, and checks the hash of each file and the totals. The caller judges the
 * signature. Throws BackupFault where a hash is wrong or the end is missing.
 */
export const readArchive = async (
  plain: AsyncIterable<Uint8Array>,
  visitor: ArchiveVisitor,
): Promise<ArchiveEnd> => {
  const digest = makeDigest();
  const reader = makeByteReader(plain, (piece) => void digest.update(piece));
  const lines = makeLineReader(reader);
  const totals = makeTotals();
  for (;;) {
    const line = await lines();
    switch (line.type) {
      case "absent":
        totals.takeAbsent(line.reason);
        await visitor.statement(line);
        break;
      case "backup":
      case "chain":
      case "damage":
        await visitor.statement(line);
        break;
      case "file":
        totals.take({ ...line, sha256: await readFile(reader, lines, line, visitor) });
        break;
      case "hash":
        throw damaged("A hash stands where no file is");
      case "end":
        if (!isSameEnd(totals.end(), line)) throw damaged("Its files are not those that its end states");
        return { end: line, digest: digest.copy().digest(), ...(await readSignature(reader)) };
      case "signature":
        throw damaged("A signature stands before its end");
    }
  }
};

const readSignature = async (reader: ByteReader) => {
  if (await reader.isAtEnd()) return {};
  const text = await reader.takeLine(lineBytesMax);
  const line = text && readManifestLine(text.toString("utf8"));
  if (line?.type !== "signature" || !(await reader.isAtEnd())) throw damaged("Bytes follow its end");
  return { signature: line };
};

const readFile = async (
  reader: ByteReader,
  lines: () => Promise<ManifestLine>,
  { name, bytes }: LineOf<"file">,
  visitor: ArchiveVisitor,
): Promise<string> => {
  const sum = createHash("sha256");
  let length = 0;
  async function* content(): AsyncGenerator<Buffer> {
    for await (const piece of reader.pass(bytes)) {
      sum.update(piece);
      length += piece.length;
      yield piece;
    }
  }
  await visitor.file({ name, bytes, content: content() });
  if (length !== bytes) throw damaged(`${name} ends after ${length} of ${bytes} bytes`);
  const sha256 = sum.digest("hex");
  const stated = await lines();
  if (stated.type !== "hash" || stated.sha256 !== sha256) throw damaged(`The hash of ${name} differs`);
  return sha256;
};

const makeLineReader = (reader: ByteReader) => async (): Promise<ManifestLine> => {
  const text = await reader.takeLine(lineBytesMax);
  if (text === undefined) throw damaged("Its end is missing, or a line is too long");
  const line = readManifestLine(text.toString("utf8"));
  if (line === undefined) throw damaged("It holds a line that this program cannot read");
  return line;
};

const damaged = (finding: string): BackupFault =>
  new BackupFault(`The backup is damaged: ${finding}. Use another copy.`);

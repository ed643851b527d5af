import { createHash } from "node:crypto";
import type { Static } from "typebox";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";

/** The lines of a manifest, one JSON object each, in this order (docs/formats/backup.md). */
export const manifestLine = Type.Union([
  Type.Object({
    type: Type.Literal("backup"),
    /** 2: a signature follows the end. Earlier releases wrote 1. */
    format: Type.Union([Type.Literal(1), Type.Literal(2)]),
    /** Version of the program that made it, and of the tables of the store. */
    release: Type.String({ maxLength: 64 }),
    schema: Type.Integer({ minimum: 0 }),
    store: Type.Union([Type.Literal("embedded"), Type.Literal("postgresql")]),
    /** Milliseconds since 1970. */
    at: Type.Integer({ minimum: 0 }),
    /** Ids of the master keys that wrap the data keys; none where nothing was sealed yet. */
    masterKeys: Type.Array(Type.String({ pattern: "^[0-9a-f]{16}$" }), { maxItems: 16 }),
  }),
  /** The end of the evidence chain of a tenant. */
  Type.Object({
    type: Type.Literal("chain"),
    tenantId: Type.String({ maxLength: 64 }),
    seq: Type.Integer({ minimum: 1 }),
    hash: Type.String({ maxLength: 128 }),
  }),
  /** A file or a stored object. */
  Type.Object({
    type: Type.Literal("file"),
    name: Type.String({ minLength: 1, maxLength: 400 }),
    bytes: Type.Integer({ minimum: 0, maximum: 2 ** 50 }),
    /** In a manifest; in a backup the hash follows the bytes. */
    sha256: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
  }),
  Type.Object({ type: Type.Literal("hash"), sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) }),
  /**
   * An object of the store that the backup lacks. removed: its row was removed while the backup ran, by
   * retention or erasure. missing: the deployment itself has lost it. damaged: it was there with other bytes
   * than its row states.
   */
  Type.Object({
    type: Type.Literal("absent"),
    name: Type.String({ minLength: 1, maxLength: 400 }),
    reason: Type.Union([Type.Literal("removed"), Type.Literal("missing"), Type.Literal("damaged")]),
  }),
  /**
   * A fault of the store, found before it was copied: the backup was made despite it. lasting: nothing
   * repairs it, as in a chain.
   */
  Type.Object({
    type: Type.Literal("damage"),
    place: Type.String({ maxLength: 1000 }),
    fault: Type.String({ maxLength: 1000 }),
    lasting: Type.Optional(Type.Literal(true)),
  }),
  Type.Object({
    type: Type.Literal("end"),
    files: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
    removed: Type.Integer({ minimum: 0 }),
    missing: Type.Integer({ minimum: 0 }),
    /** Absent where none was damaged, and in a backup of an earlier release. */
    damaged: Type.Optional(Type.Integer({ minimum: 1 })),
    /** SHA-256 over the lines `<sha256>  <name>` of all files, in their order. */
    sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
  }),
  /** In a backup alone, after its end: Ed25519 over all bytes before this line. */
  Type.Object({
    type: Type.Literal("signature"),
    key: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    signature: Type.String({ pattern: "^[A-Za-z0-9_-]{86}$" }),
  }),
]);

export type ManifestLine = Static<typeof manifestLine>;
export type LineOf<Kind extends ManifestLine["type"]> = Extract<ManifestLine, { readonly type: Kind }>;

const known = makeCheck(manifestLine);

/** Longest line. */
export const lineBytesMax = 4096;

export const writeManifestLine = (line: ManifestLine): string => `${JSON.stringify(line)}\n`;

/** Undefined for a text that is no line of a manifest. */
export const readManifestLine = (text: string): ManifestLine | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return known.Check(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Counts the files of a backup for its last line. Made by {@link makeTotals}. */
export type Totals = {
  readonly take: (file: { readonly name: string; readonly bytes: number; readonly sha256: string }) => void;
  readonly takeAbsent: (reason: LineOf<"absent">["reason"]) => void;
  readonly end: () => LineOf<"end">;
};

export const makeTotals = (): Totals => {
  const sum = createHash("sha256");
  const absent = { removed: 0, missing: 0, damaged: 0 };
  let [files, bytes] = [0, 0];
  return {
    take: (file) => {
      sum.update(`${file.sha256}  ${file.name}\n`);
      files += 1;
      bytes += file.bytes;
    },
    takeAbsent: (reason) => {
      absent[reason] += 1;
    },
    end: () => {
      const { damaged, ...others } = absent;
      const sha256 = sum.copy().digest("hex");
      return { type: "end", files, bytes, ...others, ...(damaged > 0 && { damaged }), sha256 };
    },
  };
};

/** Whether the totals of what was read are those that the backup states. */
export const isSameEnd = (found: LineOf<"end">, stated: LineOf<"end">): boolean =>
  found.files === stated.files &&
  found.bytes === stated.bytes &&
  found.removed === stated.removed &&
  found.missing === stated.missing &&
  found.damaged === stated.damaged &&
  found.sha256 === stated.sha256;

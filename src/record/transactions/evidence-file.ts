import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { Anchor, StoredLink } from "./store/evidence-store.ts";

const position = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const time = Type.Number();

/**
 * The first line of an exported chain, and each line of the file of heads. Only an export has `since`.
 * Times are milliseconds since 1970 in all lines.
 */
const headLine = Type.Object({
  type: Type.Literal("head"),
  format: Type.Literal(1),
  tenantId: Type.String(),
  tenant: Type.Optional(Type.String()),
  /** The export holds the entries after this position. */
  since: Type.Optional(position),
  /** The hash of the entry at `since`. */
  startHash: Type.Optional(hash),
  lastSeq: position,
  headHash: hash,
  at: time,
});

const anchorLine = Type.Object({
  type: Type.Literal("anchor"),
  seq: position,
  hash,
  at: time,
  authority: Type.String(),
  /** Base64. */
  token: Type.String(),
});

const entryLine = Type.Object({
  type: Type.Literal("entry"),
  seq: Type.Number(),
  id: Type.String(),
  kind: Type.String(),
  at: time,
  /** Absent in an entry of an earlier release. */
  bodyHash: Type.Optional(Type.String()),
  prevHash: Type.String(),
  hash: Type.String(),
  /** Absent once the body was removed. */
  body: Type.Optional(Type.Object({ at: time, salt: Type.String(), text: Type.String() })),
});

export type HeadLine = Static<typeof headLine>;

/** A line of an exported chain: its head first, then the anchors, then the entries, both in order. */
export type EvidenceLine =
  | HeadLine
  | ({ readonly type: "anchor" } & Omit<Anchor, "tenantId">)
  | ({ readonly type: "entry" } & Omit<StoredLink, "tenantId">);

const isHead = makeCheck(headLine);
const isAnchor = makeCheck(anchorLine);
const isEntry = makeCheck(entryLine);

/** The text of a line, without the line end. */
export const writeLine = (line: EvidenceLine): string =>
  JSON.stringify(
    line.type === "anchor" ? { ...line, token: Buffer.from(line.token).toString("base64") } : line,
  );

/** Undefined for a text that is no such line. */
export const readLine = (text: string): EvidenceLine | undefined => {
  const line = parse(text);
  if (isAnchor.Check(line)) {
    return { ...line, token: new Uint8Array(Buffer.from(line.token, "base64")) };
  }
  return isHead.Check(line) || isEntry.Check(line) ? line : undefined;
};

/** The line that the service logs for a head that it keeps. */
const logLine = Type.Object({
  message: Type.Literal("evidence head"),
  time: Type.String(),
  tenantId: Type.String(),
  seq: position,
  hash,
});

const isLogLine = makeCheck(logLine);

/** The head in a line of a file of heads, of an export or of the log; undefined for any other line. */
export const readHeadLine = (text: string): HeadLine | undefined => {
  const line = parse(text);
  if (isLogLine.Check(line)) {
    const { tenantId, seq: lastSeq, hash: headHash, time: at } = line;
    return { type: "head", format: 1, tenantId, lastSeq, headHash, at: Date.parse(at) };
  }
  return isHead.Check(line) ? line : undefined;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

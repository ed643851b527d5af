/** The place of a call in the trace of its caller (W3C Trace Context, Recommendation of 2021-11-23, 3.2). */
export type TraceParent = {
  /** 16 bytes, hex. */
  readonly traceId: string;
  /** The caller's span: 8 bytes, hex. */
  readonly parentId: string;
  /** Whether the caller records the trace. */
  readonly isSampled: boolean;
};

/**
 * Reads the header `traceparent`; undefined without a valid one, which counts as none (3.2.2.3). A later
 * version is read by its first four parts (3.2.4). Nothing but hexadecimal digits leaves this function, so
 * that the ids may stand in the log.
 */
export const readTraceparent = (header: string | readonly string[] | undefined): TraceParent | undefined => {
  if (typeof header !== "string" || header.length > lengthMax) return undefined;
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header);
  const [, version = "ff", traceId = "", parentId = "", flags = "", more] = parts ?? [];
  if (version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

/** Version 00 has 55 characters; a later one may have more. */
const lengthMax = 256;

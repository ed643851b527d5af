/** What a signature states of the bytes that it covers. */
export type RangeFacts = {
  readonly byteRange: readonly number[] | undefined;
  /**
   * Offsets of the Contents token with its delimiters; undefined where the file has none, or hides it in an
   * object stream.
   */
  readonly contents: { readonly start: number; readonly end: number } | undefined;
  readonly fileBytes: number;
};

/** Names of the faults, as the report gives them. */
export type RangeFault =
  | "byte_range_missing"
  | "contents_missing"
  | "byte_range_not_four"
  | "byte_range_not_from_start"
  | "byte_range_beyond_end"
  | "byte_range_gap_differs";

/** The covered bytes: [0, gapStart) and [gapEnd, end). */
export type Range = { readonly gapStart: number; readonly gapEnd: number; readonly end: number };

/**
 * Judges the ByteRange of a signature (ISO 32000-2, 12.8.1; ETSI EN 319 142-1, 5.1): two ranges from the
 * first byte on, in order, inside the file, and between them exactly the Contents. Everything else lets bytes
 * be added or replaced: universal signature forgery and signature wrapping (Mladenov and others, '1 Trillion
 * Dollar Refund', CCS 2019).
 */
export const judgeByteRange = ({ byteRange, contents, fileBytes }: RangeFacts): Range | RangeFault => {
  if (byteRange === undefined) return "byte_range_missing";
  if (contents === undefined) return "contents_missing";
  const [from, first, gapEnd, second, ...more] = byteRange;
  const isWhole = byteRange.every((number) => Number.isSafeInteger(number) && number >= 0);
  if (from === undefined || first === undefined || gapEnd === undefined || second === undefined) {
    return "byte_range_not_four";
  }
  if (more.length > 0 || !isWhole) return "byte_range_not_four";
  if (from !== 0 || first === 0) return "byte_range_not_from_start";
  if (gapEnd <= first || second === 0 || gapEnd + second > fileBytes) return "byte_range_beyond_end";
  if (contents.start !== first || contents.end !== gapEnd) return "byte_range_gap_differs";
  return { gapStart: first, gapEnd, end: gapEnd + second };
};

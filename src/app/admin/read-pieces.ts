/** Takes the bytes of a connection in pieces: a line, then counted pieces. Made by {@link makeReadPieces}. */
export type ReadPieces = {
  /**
   * The bytes before the next line end. Undefined for a longer line, and where the connection ends before it.
   */
  readonly line: (bytesMax: number) => Promise<string | undefined>;
  /** The next bytes, as many. Undefined where the connection ends before them. */
  readonly exactly: (count: number) => Promise<Buffer | undefined>;
};

const lineEnd = 0x0a;

/** Reads no more of the source than is asked for, so that a sender that is too fast waits. */
export const makeReadPieces = (source: AsyncIterable<Buffer>): ReadPieces => {
  const parts = source[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let length = 0;

  /** False at the end of the connection, in whatever way it ends. */
  const more = async (): Promise<boolean> => {
    try {
      const { value, done } = await parts.next();
      if (done === true) return false;
      held.push(value);
      length += value.length;
      return true;
    } catch {
      return false;
    }
  };
  const take = (count: number): Buffer => {
    const all = held.length === 1 ? held[0]! : Buffer.concat(held);
    held = count < all.length ? [all.subarray(count)] : [];
    length = all.length - count;
    return all.subarray(0, count);
  };

  return {
    line: async (bytesMax) => {
      for (let seen = 0; ; ) {
        const at = held.findIndex((part, place) => place >= seen && part.includes(lineEnd));
        if (at >= 0) {
          const before = held.slice(0, at).reduce((sum, part) => sum + part.length, 0);
          const line = take(before + held[at]!.indexOf(lineEnd) + 1);
          return line.length > bytesMax ? undefined : line.toString("utf8", 0, line.length - 1);
        }
        seen = held.length;
        if (length >= bytesMax || !(await more())) return undefined;
      }
    },
    exactly: async (count) => {
      for (;;) {
        if (length >= count) return take(count);
        if (!(await more())) return undefined;
      }
    },
  };
};

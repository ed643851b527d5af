/** Reads a stream of bytes in pieces of chosen lengths. Made by {@link makeByteReader}. */
export type ByteReader = {
  /** The next `length` bytes; fewer only at the end of the stream. */
  readonly take: (length: number) => Promise<Buffer>;
  /** The next `length` bytes in pieces as they come; fewer in all only at the end of the stream. */
  readonly pass: (length: number) => AsyncGenerator<Buffer>;
  /**
   * The bytes before the next line feed, which is taken too. Undefined where none is among the next
   * `lengthMax`.
   */
  readonly takeLine: (lengthMax: number) => Promise<Buffer | undefined>;
  /** Whether no byte follows. */
  readonly isAtEnd: () => Promise<boolean>;
};

/**
 * A reader over a stream. Memory holds what was asked for, and one piece of the stream. `onTaken` gets each
 * byte that was taken, in their order.
 */
export const makeByteReader = (
  source: AsyncIterable<Uint8Array>,
  onTaken: (piece: Uint8Array) => void = () => undefined,
): ByteReader => {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  /** Whether a byte is there, after a wait for the next piece where none is. */
  const fill = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const next = await pieces.next();
      if (next.done === true) return false;
      rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    return true;
  };
  async function* pass(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0 && (await fill()); ) {
      const piece = rest.subarray(0, left);
      rest = rest.subarray(piece.length);
      left -= piece.length;
      onTaken(piece);
      yield piece;
    }
  }
  return {
    pass,
    take: async (length) => {
      const taken: Buffer[] = [];
      for await (const piece of pass(length)) taken.push(piece);
      return Buffer.concat(taken);
    },
    takeLine: async (lengthMax) => {
      const taken: Buffer[] = [];
      for (let left = lengthMax; left > 0 && (await fill()); ) {
        const end = rest.indexOf(0x0a);
        const piece = rest.subarray(0, end === -1 ? left : Math.min(end, left));
        taken.push(piece);
        onTaken(piece);
        rest = rest.subarray(piece.length);
        left -= piece.length;
        if (rest[0] !== 0x0a) continue;
        onTaken(rest.subarray(0, 1));
        rest = rest.subarray(1);
        return Buffer.concat(taken);
      }
      return undefined;
    },
    isAtEnd: async () => !(await fill()),
  };
};

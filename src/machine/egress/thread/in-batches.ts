/** A part of a body. */
export type Batch = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean };

/** One message holds this much: as much as one read from a connection. */
const batchBytes = 65_536;
/** Pieces gather this long, so that a peer causes some fifty messages a second at most. */
const gatherMs = 20;

type Piece = IteratorResult<Uint8Array, undefined> | { readonly error: unknown };

/**
 * Joins the pieces of a body, so that no peer determines the number of messages. What came before a failure
 * comes before it here.
 */
export async function* inBatches(body: AsyncIterable<Uint8Array>): AsyncGenerator<Batch, void> {
  const pieces = body[Symbol.asyncIterator]();
  const read = async (): Promise<Piece> => {
    try {
      const { done, value } = await pieces.next();
      return done === true ? { done, value: undefined } : { done: false, value };
    } catch (error) {
      return { error };
    }
  };
  try {
    for (let next = read(); ; ) {
      const { gathered, end, pending } = await gather(await next, read);
      const isLast = end !== undefined && !("error" in end);
      if (gathered.length > 0 || isLast) yield { bytes: join(gathered), isLast };
      if (end !== undefined && "error" in end) throw end.error;
      if (isLast) return;
      next = pending ?? read();
    }
  } finally {
    // Not awaited: a reading that hangs ends with the call.
    void pieces.return?.();
  }
}

type Gathered = {
  readonly gathered: readonly Uint8Array[];
  /** Set where the body has ended. */
  readonly end?: Piece;
  /** A reading that is under way. */
  readonly pending?: Promise<Piece>;
};

const gather = async (first: Piece, read: () => Promise<Piece>): Promise<Gathered> => {
  const gathered: Uint8Array[] = [];
  const untilMs = performance.now() + gatherMs;
  let length = 0;
  for (let piece = first; ; ) {
    if ("error" in piece || piece.done === true) return { gathered, end: piece };
    gathered.push(piece.value);
    length += piece.value.length;
    if (length >= batchBytes) return { gathered };
    const pending = read();
    const next = await within(pending, untilMs - performance.now());
    if (next === undefined) return { gathered, pending };
    piece = next;
  }
};

/** Undefined where the work takes longer. */
const within = async <Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

const join = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
};

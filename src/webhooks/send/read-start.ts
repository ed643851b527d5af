import type { EgressAnswer } from "#egress/egress";

/** Bytes of an answer that are kept for the log. */
export const answerBytesKept = 16_384;

/**
 * The first bytes of an answer, read until its end, the limit or the time. A body that breaks off gives what came before:
 * the status has decided already. An answer within the limit leaves its connection open for the next message.
 */
export const readStart = async (
  { body, discard }: EgressAnswer,
  msMax: number,
  bytesMax = answerBytesKept,
): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const timer = setTimeout(discard, Math.max(0, msMax));
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) break;
    }
  } catch (error) {
    if (!(error instanceof Error && error.name === "EgressError")) throw error;
  } finally {
    clearTimeout(timer);
  }
  return new Uint8Array(Buffer.concat(chunks).subarray(0, bytesMax));
};

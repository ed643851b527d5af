import type { EgressAnswer } from "#machine/egress/egress";
import { isEgressError, isInterrupted } from "./egress-failure.ts";

/** Bytes of an answer that are kept for the log. */
export const answerBytesKept = 16_384;

/**
 * The start of an answer. `brokenOff` is what the operator reads of a server that closed within its answer.
 */
export type AnswerStart = { readonly bytes: Uint8Array; readonly brokenOff?: string };

/**
 * The first bytes of an answer, read until its end, the limit or the time. A body that stalls gives what came
 * before: the head has decided already. An answer within the limit leaves its connection open for the next
 * message.
 */
export const readStart = async (
  { body, discard }: EgressAnswer,
  msMax: number,
  bytesMax = answerBytesKept,
): Promise<AnswerStart> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isLate = false;
  let brokenOff: string | undefined;
  const timer = setTimeout(
    () => {
      isLate = true;
      discard();
    },
    Math.max(0, msMax),
  );
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax) break;
    }
  } catch (error) {
    if (!isEgressError(error) || isInterrupted(error)) throw error;
    if (error.reason === "cut" && !isLate) brokenOff = error.message;
  } finally {
    clearTimeout(timer);
  }
  const bytes = new Uint8Array(Buffer.concat(chunks).subarray(0, bytesMax));
  return { bytes, ...(brokenOff !== undefined && { brokenOff }) };
};

import { deserialize, serialize } from "node:v8";
import type { ReadPieces } from "./read-pieces.ts";

/** Bytes before a frame that hold its length. */
const headBytes = 4;

/**
 * A value as a frame: its length, then the value in the form of the structured clone, which keeps times and
 * bytes. The two parts follow each other: a large body is not copied to join them.
 */
export const writeFrame = (value: unknown): readonly [head: Buffer, body: Buffer] => {
  const body = serialize(value);
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(body.length);
  return [head, body];
};

/** A frame without a value: it shows that the sender lives. */
export const emptyFrame = (): Buffer => Buffer.alloc(headBytes);

/**
 * The end of the frames: the connection ended, or the next frame is longer than allowed or holds no value.
 */
export const endOfFrames = Symbol("end of frames");

/** The value of the next frame that has one. The bytes of a frame over the bound are not read. */
export const readFrame = async (pieces: ReadPieces, bytesMax: number): Promise<unknown> => {
  for (;;) {
    const head = await pieces.exactly(headBytes);
    const length = head?.readUInt32BE() ?? Number.POSITIVE_INFINITY;
    if (length > bytesMax) return endOfFrames;
    if (length === 0) continue;
    const body = await pieces.exactly(length);
    if (body === undefined) return endOfFrames;
    try {
      return deserialize(body);
    } catch {
      return endOfFrames;
    }
  }
};

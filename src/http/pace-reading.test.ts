import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { paceReading } from "./pace-reading.ts";

const chunk = Buffer.alloc(64 * 1024);

/** A body of `chunks` chunks that are all there already. */
const bodyOf = (chunks: number): IncomingMessage => {
  let left = chunks;
  const readNext = function (this: IncomingMessage): void {
    this.push(left-- > 0 ? chunk : null);
  };
  return Object.assign(new IncomingMessage(new Socket()), { _read: readNext });
};

/** Bytes that a stream hands over in each turn of the event loop. */
const sharesOf = async (stream: IncomingMessage): Promise<readonly number[]> => {
  const shares: number[] = [];
  let isOpen = false;
  stream.on("data", ({ length }: Uint8Array) => {
    if (!isOpen) {
      shares.push(0);
      setImmediate(() => {
        isOpen = false;
      });
    }
    isOpen = true;
    shares.push((shares.pop() ?? 0) + length);
  });
  await new Promise((resolve) => stream.once("end", resolve));
  return shares;
};

it("takes at most 128 KiB of a body in each turn of the event loop, and all of it in the end", async () => {
  const stream = bodyOf(64);
  paceReading(stream);
  const shares = await sharesOf(stream);
  expect(shares.reduce((sum, bytes) => sum + bytes, 0)).toBe(64 * chunk.length);
  expect(Math.max(...shares)).toBe(128 * 1024);
});

it("reads a body that nobody else wants, to its end", async () => {
  const stream = bodyOf(5);
  paceReading(stream);
  await new Promise((resolve) => stream.once("end", resolve));
  expect(stream.readableLength).toBe(0);
});

import { createServer, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { makePacing } from "./pace-reading.ts";

const chunkBytes = 64 * 1024;

/** A body of `chunks` chunks that are all there already. */
const bodyOf = (chunks: number): IncomingMessage => {
  let left = chunks;
  const readNext = function (this: IncomingMessage): void {
    this.push(left-- > 0 ? Buffer.alloc(chunkBytes) : null);
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
  makePacing().pace(stream);
  const shares = await sharesOf(stream);
  expect(shares.reduce((sum, bytes) => sum + bytes, 0)).toBe(64 * chunkBytes);
  expect(Math.max(...shares)).toBe(128 * 1024);
});

it("lets four of many bodies go on in a turn, and reads each of them to its end", async () => {
  const seen = new Map<number, Set<IncomingMessage>>();
  let [turn, isOver] = [0, false];
  const count = (): void => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const streams = Array.from({ length: 12 }, () => bodyOf(8));
  const { pace } = makePacing();
  for (const stream of streams) {
    pace(stream);
    stream.on("data", () => seen.set(turn, (seen.get(turn) ?? new Set()).add(stream)));
  }
  await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once("end", resolve))));
  isOver = true;
  // At first none has had its share.
  const [first, ...others] = [...seen.values()].map(({ size }) => size);
  expect(first).toBe(12);
  expect(Math.max(...others)).toBe(4);
});

it("drops a body without another reader, to its end", async () => {
  const stream = bodyOf(5);
  makePacing().drop(stream);
  await new Promise((resolve) => stream.once("end", resolve));
  expect(stream.readableLength).toBe(0);
});

it("frees each chunk of a body that Node received", async () => {
  const free: boolean[] = [];
  const { drop } = makePacing();
  const server = createServer((request, response) => {
    drop(request);
    request.on("data", ({ buffer }: Uint8Array<ArrayBuffer>) => free.push(buffer.detached));
    request.once("end", () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const body = Buffer.alloc(1_000_000, "a");
  await fetch(`http://127.0.0.1:${port}`, { method: "POST", body }).then((answer) => answer.text());
  server.close();
  expect(new Set(free)).toEqual(new Set([true]));
});

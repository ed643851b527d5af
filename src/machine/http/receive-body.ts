import type { IncomingMessage } from "node:http";
import { Failure } from "#contract/failure";
import { freeMemory } from "#contract/free-memory";
import type { ReceiveLimits } from "./options.ts";
import type { Pacing } from "./pace-reading.ts";

export type ReceiveOptions = ReceiveLimits & {
  /** Length that the header states; undefined for a body in chunks. */
  readonly statedBytes: number | undefined;
  readonly bytesMax: number;
  readonly pace: Pacing["pace"];
  /** Called before bytes beyond the stated length are kept; it may throw. */
  readonly reserve: (bytes: number) => void;
};

/** Memory for a body in chunks grows in steps of this size. */
const blockBytes = 1024 * 1024;

/** How often the pace of a body is judged. */
const paceEveryMs = 1_000;

type Blocks = {
  readonly take: (chunk: Uint8Array) => void;
  readonly all: () => readonly Uint8Array<ArrayBuffer>[];
  /** Gives the memory back at once; a garbage collection may come much later. */
  readonly drop: () => void;
};

/**
 * Copies chunks into memory that a thread can take over. A stated length gives one block. Its pages become
 * resident as bytes arrive.
 */
const makeBlocks = (statedBytes: number | undefined): Blocks => {
  const full: Uint8Array<ArrayBuffer>[] = [];
  let block = Buffer.allocUnsafeSlow(statedBytes ?? 0);
  let used = 0;
  return {
    take: (chunk) => {
      for (let from = 0; from < chunk.length; ) {
        if (used === block.length) {
          if (used > 0) full.push(block);
          block = Buffer.allocUnsafeSlow(blockBytes);
          used = 0;
        }
        const part = chunk.subarray(from, from + block.length - used);
        block.set(part, used);
        used += part.length;
        from += part.length;
      }
    },
    all: () => (used === 0 ? full : [...full, block.subarray(0, used)]),
    drop: () => {
      for (const { buffer } of [...full, block]) buffer.transfer(0);
    },
  };
};

/**
 * Whether a body is so late that it cannot arrive within `msMax` at its pace. Judged after `graceMs`. A body
 * without a stated length holds only what has arrived, so its whole time alone counts.
 */
export const isTooSlow = (
  { statedBytes = 0, msMax, graceMs }: Pick<ReceiveOptions, "statedBytes" | "msMax" | "graceMs">,
  receivedBytes: number,
  elapsedMs: number,
): boolean => elapsedMs >= msMax || (elapsedMs >= graceMs && receivedBytes * msMax < statedBytes * elapsedMs);

const incomplete = (): Failure => new Failure("http_unreadable", { reason: "the body is not complete" });

/**
 * Receives a body. Fails with body_too_large, request_too_slow, what `reserve` throws, or the error of the
 * connection. After a failure nothing of the body is kept.
 */
export const receiveBody = (
  stream: IncomingMessage,
  options: ReceiveOptions,
): Promise<readonly Uint8Array<ArrayBuffer>[]> =>
  new Promise((resolve, reject) => {
    const { statedBytes, bytesMax, pace: paceReading, reserve } = options;
    // Nothing will come, not even its close.
    if (stream.destroyed) return reject(incomplete());
    const started = performance.now();
    const blocks = makeBlocks(statedBytes);
    let received = 0;
    let wasSlow = false;
    const pace = setInterval(() => {
      const isSlow = isTooSlow(options, received, performance.now() - started);
      // A body fails only if it was slow twice in a row. After a pause of this process, the bytes that
      // arrived meanwhile are read first.
      if (isSlow && wasSlow) fail(new Failure("request_too_slow"));
      wasSlow = isSlow;
    }, paceEveryMs);
    const detach = (): void => {
      clearInterval(pace);
      stream.off("data", take).off("end", end).off("error", fail).off("close", cut);
    };
    const fail = (error: unknown): void => {
      detach();
      blocks.drop();
      reject(error);
    };
    const cut = (): void => fail(incomplete());
    const end = (): void => {
      detach();
      resolve(blocks.all());
    };
    const take = (chunk: Buffer): void => {
      received += chunk.length;
      try {
        if (received > bytesMax) throw new Failure("body_too_large", { bytesMax });
        if (statedBytes === undefined) reserve(chunk.length);
        blocks.take(chunk);
        freeMemory(chunk);
      } catch (error) {
        fail(error);
      }
    };
    paceReading(stream);
    stream.on("data", take).once("end", end).once("error", fail).once("close", cut);
  });

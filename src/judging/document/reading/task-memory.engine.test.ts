import { expect, it } from "vitest";
import { makeTaskMemory } from "#machine/imaging/task-memory";
import { makePhotographCard } from "#support/document/card-photographs";
import { chile, ecuador } from "#support/document/national-cards";
import { openReader } from "#support/document/reader";

/** Two sides are drawn, photographed, and read five times with all networks, beside other tests. */
const timeoutMs = 240_000;

const plain = await openReader();
const photographCard = await makePhotographCard(plain.imaging);
const small = { width: 1280, height: 960 } as const;
const task = { mrz: "fallback", barcodes: true, attacks: true, upright: true } as const;

it(
  "reads sides one after the other in one block as with new arrays",
  async () => {
    // The side of a card takes more than the block has: the last arrays have memory of their own.
    const blockBytes = 6 * 1024 ** 2;
    const { memory, freeing } = makeTaskMemory(blockBytes);
    let takenBytes = 0;
    const reader = await openReader({
      ...memory,
      bytes: (length) => {
        takenBytes += length;
        return memory.bytes(length);
      },
      floats: (length) => {
        takenBytes += length * Float32Array.BYTES_PER_ELEMENT;
        return memory.floats(length);
      },
    });
    const readSide = freeing((bytes: Uint8Array) => reader.readSide(bytes, task));
    const first = (await photographCard(chile, 5, small)).front;
    const second = (await photographCard(ecuador, 6, small)).front;
    const expected = await plain.readSide(first, task);
    expect(expected.lines.length).toBeGreaterThan(5);
    expect(await readSide(first)).toEqual(expected);
    expect(takenBytes).toBeGreaterThan(blockBytes);
    expect(await readSide(second)).toEqual(await plain.readSide(second, task));
    expect(await readSide(first)).toEqual(expected);
  },
  timeoutMs,
);

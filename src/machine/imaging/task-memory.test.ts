import { expect, it } from "vitest";
import { freeMemory } from "#contract/free-memory";
import type { Image, Imaging } from "./image.ts";
import { makeImaging } from "./imaging.ts";
import { defaultImagingLimits } from "./limits.ts";
import { makeTaskMemory } from "./task-memory.ts";

const limits = defaultImagingLimits;
const plain = makeImaging({ limits });
const drawn: Image = {
  width: 40,
  height: 30,
  data: Uint8Array.from({ length: 40 * 30 * 3 }, (_, i) => (7 * i) % 251),
};
const quad = [
  [0, 0],
  [39, 0],
  [39, 29],
  [0, 29],
] as const;

const makeAll = async (imaging: Imaging): Promise<readonly (Uint8Array | Float32Array)[]> => {
  const opened = await imaging.open(await imaging.encodeJpeg(drawn, 90));
  return [
    opened.data,
    (await imaging.resize(opened, 20, 15)).data,
    imaging.toGrey(opened).data,
    imaging.crop(opened, { x: 1, y: 1, width: 9, height: 9 }).data,
    imaging.rotate(opened, 1).data,
    imaging.rectify(opened, quad, 8, 8).data,
    imaging.rectifyGrey(opened, quad, 8, 8).data,
    imaging.warpAffine(opened, [3, 0, 0, 0, 3, 0], 8, 8),
  ];
};

const copies = (pixels: readonly (Uint8Array | Float32Array)[]) => pixels.map((one) => Array.from(one));

it.each([
  ["one block", 1 << 20],
  ["a block that is too small for some", 4096],
  ["arrays of their own", 0],
])("has the same pixels in %s as without it, in one task after another", async (_, blockBytes) => {
  const { memory, freeing } = makeTaskMemory(blockBytes);
  const imaging = makeImaging({ limits, memory });
  const expected = copies(await makeAll(plain));
  for (let task = 0; task < 3; task++) {
    const made = await freeing(async () => copies(await makeAll(imaging)))(undefined);
    expect(made).toEqual(expected);
  }
});

it("begins every array with zeros, and none at a byte of another one", async () => {
  const { memory, freeing } = makeTaskMemory(1024);
  const task = freeing(async () => {
    const pixels = [
      memory.bytes(5),
      memory.floats(3),
      memory.bytes(2000),
      memory.floats(100),
      memory.floats(300),
    ];
    const first = copies(pixels);
    for (const [i, one] of pixels.entries()) one.fill(i + 1);
    return { first, filled: copies(pixels) };
  });
  for (let run = 0; run < 2; run++) {
    const { first, filled } = await task(undefined);
    expect(first.every((one) => one.every((value) => value === 0))).toBe(true);
    expect(filled.every((one, i) => one.every((value) => value === i + 1))).toBe(true);
  }
});

it.each([200, 201])("uses a block of %i bytes to its last byte", async (blockBytes) => {
  const { memory, freeing } = makeTaskMemory(blockBytes);
  await freeing(async () => {
    const { buffer } = memory.bytes(128);
    const rest = blockBytes - 128;
    const isOfBlock = [rest + 1, rest, 1, 0].map((length) => memory.bytes(length).buffer === buffer);
    expect(isOfBlock).toEqual([false, true, false, false]);
    expect(memory.floats(0)).toHaveLength(0);
  })(undefined);
});

it("serves the next task after an array of the whole block was freed", async () => {
  const { memory, freeing } = makeTaskMemory(1024);
  const task = freeing(async () => {
    const whole = memory.bytes(1024);
    freeMemory(whole);
    return whole.length;
  });
  expect([await task(undefined), await task(undefined)]).toEqual([1024, 1024]);
});

it("leaves an output of a network without a place to the garbage collector", async () => {
  const { memory, freeing } = makeTaskMemory(1024);
  const output = new Float32Array(1000).fill(0.5);
  await freeing(async () => {
    expect(memory.takeFloats(output)).toBe(output);
  })(undefined);
  expect(output.every((value) => value === 0.5)).toBe(true);
});

it("takes an array over, and gives its memory back at once", async () => {
  const { memory, freeing } = makeTaskMemory(1024);
  await freeing(async () => {
    const [bytes, floats] = [Uint8Array.of(1, 2, 3), Float32Array.of(0.5, 1.5)];
    expect(copies([memory.takeBytes(bytes), memory.takeFloats(floats)])).toEqual([
      [1, 2, 3],
      [0.5, 1.5],
    ]);
    expect([bytes.length, floats.length]).toEqual([0, 0]);
    const large = new Uint8Array(2000);
    expect(memory.takeBytes(large)).toBe(large);
  })(undefined);
});

it.each([1024, 0])(
  "keeps no pixel when a task has ended or failed (block of %i bytes)",
  async (blockBytes) => {
    const { memory, freeing } = makeTaskMemory(blockBytes);
    const imaging = makeImaging({ limits, memory });
    const kept: Uint8Array[] = [];
    const task = freeing(async (isUnreadable: boolean) => {
      kept.push(imaging.crop(drawn, { x: 0, y: 0, width: 9, height: 9 }).data);
      expect(kept.at(-1)!.some((value) => value > 0)).toBe(true);
      if (isUnreadable) throw new Error("unreadable");
    });
    await task(false);
    await expect(task(true)).rejects.toThrow("unreadable");
    expect(kept).toHaveLength(2);
    const rest = kept.flatMap((pixels) => (pixels.length === 0 ? [] : Array.from(pixels)));
    expect(rest.some((value) => value > 0)).toBe(false);
    expect(drawn.data.some((value) => value > 0)).toBe(true);
  },
);

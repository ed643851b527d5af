import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Network, Tensor } from "#machine/networks/model";
import { textAlphabet } from "./alphabet.ts";
import { batchesOf, makeRecogniseLines } from "./recognise-lines.ts";

const strip = (width: number, height: number) => ({ width, height, data: new Uint8Array(width * height) });

/** A network that returns, for each line, its number of columns as one character each. */
const countColumns: Network["run"] = async ({ dims }: Tensor) => {
  const [lines = 0, , , width = 0] = dims;
  const [columns, classes] = [width / 2, textAlphabet.length + 1];
  const data = new Float32Array(lines * columns * classes);
  for (let i = 0; i < lines * columns; i++) data[i * classes + (i % 2 === 0 ? 2 : 3)] = 1;
  return { y: { data, dims: [lines, columns, classes] } };
};

describe("the text network's alphabet", () => {
  it("equals the alphabet of its training", async () => {
    const file = new URL("../../../../../models/text-line.training.json", import.meta.url);
    const training: unknown = JSON.parse(await readFile(file, "utf8"));
    expect(training).toMatchObject({ alphabet: textAlphabet.join("") });
    expect(new Set(textAlphabet).size).toBe(textAlphabet.length);
  });
});

describe("makeRecogniseLines", () => {
  it("returns the lines in the order of the strips and reads no padding", async () => {
    const recognise = makeRecogniseLines({ run: countColumns });
    const widths = [400, 60, 200, 180, 62, 300];
    const read = await recognise(widths.map((width) => strip(width, 20)));
    expect(read.map(({ text }) => text.length)).toEqual(widths);
  });

  it("returns nothing for no strips", async () => {
    await expect(makeRecogniseLines({ run: countColumns })([])).resolves.toEqual([]);
  });

  it("rejects an output of another shape", async () => {
    const run: Network["run"] = async () => ({ y: { data: new Float32Array(7), dims: [7] } });
    await expect(makeRecogniseLines({ run })([strip(60, 20)])).rejects.toThrow("answered 7 for 1x1x40x");
  });
});

describe("batchesOf", () => {
  it("keeps every line once, none padded by more than a third", () => {
    const widths = fc.array(fc.record({ width: fc.integer({ min: 24, max: 1600 }) }), { maxLength: 60 });
    fc.assert(
      fc.property(widths, (lines) => {
        const batches = batchesOf(lines);
        expect(batches.flat().toSorted((a, b) => a.width - b.width)).toEqual(
          lines.toSorted((a, b) => a.width - b.width),
        );
        for (const batch of batches) {
          const all = batch.map(({ width }) => width);
          expect(Math.max(...all)).toBeLessThanOrEqual((Math.min(...all) * 4) / 3);
          expect(batch.length).toBeLessThanOrEqual(12);
        }
      }),
    );
  });
});

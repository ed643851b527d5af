import { expect, it } from "vitest";
import { ledger } from "./ledger.ts";
import { openNetworks } from "./networks.ts";

/** Columns of an output of the line network: half of the input's width. Each has 195 floats. */
it.each([
  [84, 84 * 195 * 4, false],
  [85, 85 * 195 * 4, true],
])(
  "an output of %i columns, %i bytes, goes to the memory of the thread: %s",
  async (columns, bytes, isTaken) => {
    const taken: Float32Array[] = [];
    const { networks } = openNetworks(ledger, undefined, [], {
      takeFloats: (made) => {
        taken.push(made);
        return made;
      },
    });
    const width = 2 * columns;
    const run = networks["text-line"].run({ data: new Float32Array(40 * width), dims: [1, 1, 40, width] });
    const [output] = Object.values(await run);
    expect(output?.data.byteLength).toBe(bytes);
    expect(taken).toEqual(isTaken ? [output?.data] : []);
  },
);

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeOf, mrzAlphabet } from "./alphabet.ts";
import { decodeLine, marginsOf } from "./decode.ts";
import { masks } from "./masks.ts";
import { classes, greedyText, type Posterior, posteriorOf } from "./posterior.ts";
import { suggestRepair } from "./suggest.ts";

/**
 * The posterior of a confident network: each character in one column of four, blanks between. `doubts` =
 * position, character, nats.
 */
const posteriorFor = (
  text: string,
  doubts: readonly (readonly [number, string, number])[] = [],
): Posterior => {
  const columns = text.length * 4 + 2;
  const scores = new Float32Array(columns * classes).fill(-8);
  for (let column = 0; column < columns; column++) scores[column * classes] = 4;
  for (const [i, character] of Array.from(text).entries()) {
    const at = (i * 4 + 2) * classes;
    scores[at] = -4;
    scores[at + codeOf(character) + 1] = 4;
  }
  for (const [i, character, score] of doubts)
    scores[(i * 4 + 2) * classes + codeOf(character) + 1] = 4 + score;
  return posteriorOf(scores, columns);
};

const td3 = [
  "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
] as const;

describe("decodeLine", () => {
  it("finds any text that the network is confident of", () => {
    const free = { allowed: Array.from({ length: 30 }, () => Array.from(mrzAlphabet, codeOf)), prior: [] };
    const text = fc.string({
      unit: fc.constantFrom(...Array.from(mrzAlphabet)),
      minLength: 30,
      maxLength: 30,
    });
    fc.assert(
      fc.property(text, (line) => {
        const decoded = decodeLine(posteriorFor(line), free);
        expect(decoded?.text).toBe(line);
        expect(decoded?.maskCost).toBeCloseTo(0, 3);
        expect(greedyText(posteriorFor(line)).text).toBe(line);
      }),
    );
  });

  it("puts letters where the format requires letters, and reports the cost in nats", () => {
    const confused = posteriorFor(td3[0].replace("ERIKSSON", "ER1KS5ON"), [
      [7, "I", -1],
      [10, "S", -3],
    ]);
    const decoded = decodeLine(confused, masks.TD3[0]!);
    expect(decoded?.text).toBe(td3[0]);
    expect(decoded?.maskCost).toBeCloseTo(4, 0);
  });

  it("has a small margin exactly where the network is uncertain", () => {
    const decoded = decodeLine(posteriorFor(td3[1], [[13, "1", -0.5]]), masks.TD3[1]!)!;
    const margins = marginsOf(decoded, masks.TD3[1]!);
    expect(margins[13]).toBeCloseTo(0.5, 2);
    expect(Math.min(...margins.filter((_, i) => i !== 13))).toBeGreaterThan(5);
  });

  it("returns undefined when a line has fewer columns than characters", () => {
    expect(decodeLine(posteriorFor("ABC"), masks.TD3[0]!)).toBeUndefined();
  });
});

const decodedWith = (doubts: readonly (readonly [number, string, number])[], second: string) =>
  [posteriorFor(td3[0]), posteriorFor(second, doubts)].map((line, i) => decodeLine(line, masks.TD3[i]!)!);

describe("suggestRepair", () => {
  it("finds the one similar character that makes every check digit hold", () => {
    const misread = td3[1].replace("740812", "140812");
    expect(suggestRepair("TD3", decodedWith([[13, "7", -1]], misread))).toEqual({ lines: td3, changes: 1 });
  });

  it("suggests nothing when the image gives no reason for doubt", () => {
    expect(suggestRepair("TD3", decodedWith([], td3[1].replace("740812", "740815")))).toBeUndefined();
  });
});

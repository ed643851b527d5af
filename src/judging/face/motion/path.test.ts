import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import { measurePath } from "./path.ts";

const random = seededRandom(7);
const count = 100;
const first = Float64Array.from({ length: 2 * count }, () => 100 + 40 * normalDeviate(random));
/** Two ways that a turn and a nod might take, and their sum with other shares. */
const turn = Float64Array.from({ length: 2 * count }, () => normalDeviate(random));
const nod = Float64Array.from({ length: 2 * count }, () => normalDeviate(random));
const placed = (along: number, aside = 0): Float64Array =>
  first.map((place, i) => place + 5 * along * turn[i]! + 5 * aside * nod[i]!);
const all = new Uint8Array(count).fill(1);
const alongOf = (passed: readonly Float64Array[]) => measurePath(passed, all)?.map(({ along }) => along);

describe("the way of landmarks", () => {
  it("has shares from 0 to 1 in the order of the frames, however they are spread", () => {
    const shares = [0, 0.1, 0.3, 0.35, 0.9, 1];
    const along = alongOf(shares.map((share) => placed(share)))!;
    for (const [i, share] of shares.entries()) expect(along[i]).toBeCloseTo(share, 6);
    const shuffled = alongOf([0, 0.6, 0.2, 0.4, 0.8, 1].map((share) => placed(share)))!;
    expect(shuffled[2]! - shuffled[1]!).toBeCloseTo(-0.4, 6);
  });

  it("has nothing beside it for one turn, and the jump of a second take", () => {
    const straight = measurePath(
      [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => placed(share)),
      all,
    )!;
    for (const { aside } of straight) expect(aside).toBeCloseTo(0, 6);
    const spliced = measurePath(
      [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => placed(share, share > 0.5 ? 0.3 : 0)),
      all,
    )!;
    const most = Math.max(...spliced.map(({ aside }) => aside));
    expect(spliced[3]!.aside).toBe(most);
    expect(most).toBeGreaterThan(0.2);
  });

  it("is the same for a crop that is shifted, larger and rotated by the error of its eyes", () => {
    const rolled = (places: Float64Array, by: number): Float64Array =>
      places.map((place, i) =>
        i % 2 === 0 ? 1.01 * (place - by * places[i + 1]!) + 3 : 1.01 * (place + by * places[i - 1]!) - 2,
      );
    const frames = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => placed(share));
    const moved = frames.map((places, i) => (i % 2 === 1 ? rolled(places, 0.02) : places));
    const [plain, shaken] = [measurePath(frames, all)!, measurePath(moved, all)!];
    for (const [i, { along, aside }] of shaken.entries()) {
      expect(along).toBeCloseTo(plain[i]!.along, 1);
      expect(aside).toBeLessThan(0.06);
    }
  });

  it("is unknown for fewer than sixty landmarks, and where the last frame is the first", () => {
    const frames = [0, 0.5, 1].map((share) => placed(share));
    const few = (kept: number) =>
      measurePath(
        frames,
        all.map((_, i) => (i < kept ? 1 : 0)),
      );
    expect(few(60)).toHaveLength(3);
    expect(few(59)).toBeUndefined();
    expect(measurePath([first, placed(0.5), first], all)).toBeUndefined();
    expect(measurePath([], all)).toBeUndefined();
  });
});

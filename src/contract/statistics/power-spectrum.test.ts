import { expect, it } from "vitest";
import { makeAddPower, makeReplaceByPower } from "./power-spectrum.ts";
import { normalDeviate, seededRandom } from "./random.ts";

const side = 32;
const addPower = makeAddPower(side);
const wave = (fx: number, fy: number): Float64Array =>
  Float64Array.from({ length: side * side }, (_, i) =>
    Math.cos((2 * Math.PI * (fx * (i % side) + fy * Math.floor(i / side))) / side),
  );

it("puts the power of a wave at its own and the opposite frequency", () => {
  const power = new Float64Array(side * side);
  addPower(power, wave(5, -3), new Float64Array(side * side));
  const places = [...power.keys()].filter((i) => power[i]! > 1e-6);
  expect(places).toEqual([3 * side + 27, 29 * side + 5]);
  expect(power[29 * side + 5]).toBeCloseTo((side * side) ** 2 / 4, 3);
});

it("gives the same sum for two squares at once as one by one, and keeps their energy", () => {
  const random = seededRandom(3);
  const noise = () => Float64Array.from({ length: side * side }, () => normalDeviate(random));
  const [one, other, none] = [noise(), noise(), () => new Float64Array(side * side)];
  const energy = [...one, ...other].reduce((sum, value) => sum + value * value, 0);
  const [together, apart] = [none(), none()];
  addPower(apart, one.slice(), none());
  addPower(apart, other.slice(), none());
  addPower(together, one, other);
  for (const [i, value] of together.entries()) expect(value).toBeCloseTo(apart[i]!, 6);
  expect(together.reduce((sum, value) => sum + value, 0) / side ** 2).toBeCloseTo(energy, 6);
});

it("separates the spectra of two squares", () => {
  const random = seededRandom(4);
  const noise = () => Float64Array.from({ length: side * side }, () => normalDeviate(random));
  const [one, other] = [noise(), noise().map((value) => 100 * value)];
  const [powerOfOne, powerOfOther] = [one, other].map((square) => {
    const power = new Float64Array(side * side);
    addPower(power, square.slice(), new Float64Array(side * side));
    return power;
  });
  makeReplaceByPower(side)(one, other);
  for (const i of one.keys()) {
    expect(one[i]).toBeCloseTo(powerOfOne![i]!, 6);
    expect(other[i]).toBeCloseTo(powerOfOther![i]!, 4);
  }
});

it("rejects a side that is not a power of two", () => {
  expect(() => makeAddPower(100)).toThrow(RangeError);
  expect(() => makeReplaceByPower(100)).toThrow(RangeError);
});

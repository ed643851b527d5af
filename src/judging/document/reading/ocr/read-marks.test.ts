import { expect, it } from "vitest";
import { smallSize } from "./read-marks.ts";

it.each([
  [1000, 640, { width: 550, height: 352 }],
  [300, 1200, { width: 550, height: 2200 }],
  [300, 1201, undefined],
  [2, 2000, undefined],
])("marks of a side of %i x %i are searched at %o", (width, height, size) => {
  expect(smallSize({ width, height })).toEqual(size);
});

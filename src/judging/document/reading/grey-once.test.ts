import { expect, it } from "vitest";
import { toGrey } from "#machine/imaging/pixels";
import { greyOnce } from "./grey-once.ts";

it("converts each image once, and equal images apart", () => {
  const image = { width: 1, height: 1, data: Uint8Array.of(10, 20, 30) };
  const other = { ...image, data: image.data.slice() };
  const once = greyOnce(toGrey);
  expect(once(image)).toEqual(toGrey(image));
  expect(once(image)).toBe(once(image));
  expect(once(other)).not.toBe(once(image));
});

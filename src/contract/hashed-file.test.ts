import { expect, it } from "vitest";
import { readHashed, writeHashed } from "./hashed-file.ts";

type Content = { readonly sha256: string; readonly value: number };
const isContent = (value: unknown): value is Content =>
  typeof value === "object" && value !== null && "value" in value && "sha256" in value;

const text = writeHashed({ value: 1, parts: [2, 3], inner: { b: 1, a: 2 } });

it("returns the written content, in any order of its lines and with any white space", () => {
  const rotated = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).toReversed()));
  expect(readHashed(rotated, isContent)).toMatchObject({ value: 1, parts: [2, 3], inner: { a: 2 } });
});

it.each([
  ["changed", text.replace('"value": 1', '"value": 4')],
  ["changed", text.replace("3", "5")],
  ["damaged", text.slice(0, -5)],
  ["damaged", '{"value": 1}'],
  ["damaged", "null"],
] as const)("reports %s for content that differs from the written one", (answer, given) => {
  expect(readHashed(given, isContent)).toBe(answer);
});

import { expect, test } from "vitest";
import { dateString, decodeText, plainText, textString } from "./text-string.ts";

test("texts of every script are read back as they were", () => {
  for (const text of ["abc", "ñáéíóúü¿¡", "þÿab", "ï»¿a", "Ж山😀", "(a)\\<>"]) {
    const plain = plainText(text);
    expect(decodeText(textString(text).bytes)).toBe(plain);
  }
});

test("control characters and characters without a look are removed", () => {
  expect(plainText("a\u0000b\nc\u202ed\u200be")).toBe("a b c d e");
});

test("a text has at most 1,000 characters", () => {
  expect(plainText("😀".repeat(1000))).toBe("😀".repeat(1000));
  expect(plainText("x".repeat(1001))).toBe("x".repeat(1000));
});

test("a date is written in UTC", () => {
  expect(decodeText(dateString(new Date("2026-01-02T03:04:05.678Z")).bytes)).toBe("D:20260102030405+00'00'");
});

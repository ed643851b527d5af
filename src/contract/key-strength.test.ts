import { randomInt } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keyBitsMin, keyBitsOf } from "./key-strength.ts";

describe("the random bits of a key", () => {
  it("need 128", () => {
    expect(keyBitsMin).toBe(128);
  });

  // The longest key that is refused in its alphabet, and the shortest that is accepted.
  it.each([
    ["digits", "31415926535897932384626433832795028841", "314159265358979323846264338327950288419"],
    ["hexadecimal", "3f8a1c9e5b7d2046f1e8d9c0b3a7654", "3f8a1c9e5b7d2046f1e8d9c0b3a76542"],
    ["small letters", "qwmzpalskdjfhgncbvxyteurio", "qwmzpalskdjfhgncbvxyteurioqz"],
    ["letters and digits", "Zk3vQ8xLm2NpR7tWb5YdC", "Zk3vQ8xLm2NpR7tWb5YdCa"],
    ["Base64", "Zk3vQ8xL-2NpR7tW_5YdC", "Zk3vQ8xL-2NpR7tW_5YdCa"],
    ["printable", "Zk3!Q8xL-2N#R7tW_5%", "Zk3!Q8xL-2N#R7tW_5%("],
  ])("of %s are counted on either side", (_, weak, strong) => {
    expect(keyBitsOf(weak)).toBeLessThan(keyBitsMin);
    expect(keyBitsOf(strong)).toBeGreaterThanOrEqual(keyBitsMin);
  });

  it("are none in the padding of Base64, however long it is", () => {
    expect(keyBitsOf("Zk3vQ8x===============")).toBeLessThan(keyBitsMin);
    expect(keyBitsOf("Zk3vQ8xL+2NpR7tW/5YdC=")).toBeLessThan(keyBitsMin);
    expect(keyBitsOf("Zk3vQ8xL+2NpR7tW/5YdCa==")).toBeGreaterThanOrEqual(keyBitsMin);
    expect(keyBitsOf("Zk3!Q8xL-2N#R7tW_5%=")).toBeLessThan(keyBitsMin);
    expect(keyBitsOf("Zk3!Q8xL-2N#R7tW_=5%")).toBeGreaterThanOrEqual(keyBitsMin);
    expect(keyBitsOf("=".repeat(40))).toBe(0);
  });

  it("of a UUID count as its 32 digits: one of version 4 is accepted, though only 122 are random", () => {
    expect(keyBitsOf("9f1c7a3e-5b2d-4e80-a6c4-1d0f8b79e35a")).toBe(keyBitsMin);
    expect(keyBitsOf("9f1c7a3e5b2d4e80a6c41d0f8b79e35")).toBeLessThan(keyBitsMin);
  });

  it("of a repeated text are those of one part, however long it is", () => {
    expect(keyBitsOf("password".repeat(8))).toBeLessThan(keyBitsMin);
    expect(keyBitsOf("a".repeat(200))).toBe(0);
    expect(keyBitsOf("Zk3vQ8xLm2N".repeat(2))).toBeLessThan(keyBitsMin);
  });

  it("are none with a pattern: an alphabet, a count, a sorted text, a few letters and one of them for ever", () => {
    for (const key of [
      "abcdefghijklmnopqrstuvwxyz0123456789",
      "ZYXWVUTSRQPONMLKJIHGFEDCBA9876543210",
      "00112233445566778899aabbccddeeff0011223344",
      "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6",
      "abcdef0".padEnd(60, "0"),
    ])
      expect(keyBitsOf(key), key).toBe(0);
  });

  it("are those of a random text of any length and alphabet", () => {
    for (const size of [10, 16, 26, 62]) {
      for (const length of [64, 128, 512]) {
        const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, size);
        for (let round = 0; round < 20; round += 1) {
          const key = Array.from({ length }, () => letters[randomInt(size)]).join("");
          expect(keyBitsOf(key), key).toBeGreaterThan(keyBitsMin);
        }
      }
    }
  });

  it("are none with few different characters, with spaces, or outside of ASCII", () => {
    expect(keyBitsOf("ac0fbdedf0acbd0ecafd0bcebad0fcdeaf0bdceabf0edcabd0fceadb0efc")).toBeGreaterThan(0);
    expect(keyBitsOf("abcde0".padEnd(60, "0"))).toBe(0);
    expect(keyBitsOf("Zk3vQ8xLm2N pR7tWb5YdCaQ")).toBe(0);
    expect(keyBitsOf("Zk3vQ8xLm2NñpR7tWb5YdCaQ")).toBe(0);
    expect(keyBitsOf("")).toBe(0);
  });
});

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { apiKeyPattern, hashApiKey, looksLikeApiKey, makeApiKey, mayBeApiKey } from "./api-key.ts";

const key = makeApiKey("live", (bytes) => Buffer.alloc(bytes, 7));

describe("a key of Idem", () => {
  it("holds 256 random bits, its environment and the CRC-32 of both in six digits", () => {
    const body = `idem_live_${Buffer.alloc(32, 7).toString("base64url")}`;
    const digits = (crc32(body) % 2_176_782_336).toString(36);
    expect(key).toBe(body + digits.padStart(6, "0"));
    expect(makeApiKey("test", (bytes) => Buffer.alloc(bytes, 7))).toMatch(/^idem_test_/);
    expect(makeApiKey("live")).not.toBe(makeApiKey("live"));
  });

  it("has six digits also where its checksum is small", () => {
    const keys = Array.from({ length: 256 }, (_, byte) =>
      makeApiKey("live", (bytes) => Buffer.alloc(bytes, byte)),
    );
    expect(keys.filter((one) => !apiKeyPattern.test(one) || !looksLikeApiKey(one))).toEqual([]);
    expect(keys.some((one) => one.at(-6) === "0")).toBe(true);
  });

  it("differs from a mistyped one at every character", () => {
    const mistyped = Array.from(key, (character, at) => {
      const other = character === "x" ? "y" : "x";
      return key.slice(0, at) + other + key.slice(at + 1);
    });
    expect(mistyped.filter(looksLikeApiKey)).toEqual([]);
    expect([key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`].filter(mayBeApiKey)).toEqual([]);
    expect(looksLikeApiKey(key)).toBe(true);
  });

  it("is stored as its SHA-256", () => {
    expect(hashApiKey(key)).toBe(createHash("sha256").update(key).digest("hex"));
  });
});

describe("a text that may be a key", () => {
  it.each([19, 20, 512, 513])("of another service has 20 to 512 printable characters: %i", (length) => {
    expect(mayBeApiKey("k".repeat(length))).toBe(length >= 20 && length <= 512);
  });

  it("has no space, no other script, and with the prefix of Idem its checksum", () => {
    const others = [
      `${"k".repeat(20)} k`,
      `${"k".repeat(20)}ñ`,
      `idem_${"k".repeat(20)}`,
      `${key.slice(0, -1)}~`,
    ];
    expect(others.filter(mayBeApiKey)).toEqual([]);
    expect(mayBeApiKey(key)).toBe(true);
  });
});

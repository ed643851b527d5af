import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verificationCodeOf } from "./verification-code.ts";

/** The UUID back from its code, written apart from the code under test. */
const uuidOf = (code: string): string => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const bits = Array.from(code, (one) => alphabet.indexOf(one).toString(2).padStart(6, "0")).join("");
  const hex = Array.from({ length: 32 }, (_, at) =>
    Number.parseInt(bits.slice(4 * at, 4 * at + 4), 2).toString(16),
  );
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, "$1-$2-$3-$4-$5");
};

describe("the verification code of a transaction", () => {
  it("is that of the published example", () => {
    expect(verificationCodeOf("2db602ee-3564-4304-af95-92a52eaae12d")).toBe("LbYC7jVkQwSvlZKlLqrhLQ");
  });

  it.each([
    ["00000000-0000-0000-0000-000000000000", "AAAAAAAAAAAAAAAAAAAAAA"],
    ["ffffffff-ffff-ffff-ffff-ffffffffffff", "_____________________w"],
    ["fbefbefb-efbe-fbef-befb-efbefbefbefb", "---------------------w"],
  ])("of %s uses the URL-safe alphabet", (uuid, code) => {
    expect(uuidOf(code)).toBe(uuid);
    expect(verificationCodeOf(uuid)).toBe(code);
  });

  it("has 22 characters without padding, and leads back to its UUID", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const code = verificationCodeOf(uuid) ?? "";
        expect(code).toMatch(/^[\w-]{22}$/u);
        expect(uuidOf(code)).toBe(uuid);
      }),
    );
  });

  it("does not depend on upper and lower case", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(verificationCodeOf(uuid.toUpperCase())).toBe(verificationCodeOf(uuid));
      }),
    );
  });

  it.each([
    "",
    "2db602ee",
    "2db602ee35644304af9592a52eaae12d",
    "2db602ee-3564-4304-af95-92a52eaae12g",
    " 2db602ee-3564-4304-af95-92a52eaae12d",
  ])("of %j does not exist", (text) => {
    expect(verificationCodeOf(text)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { idempotencyKeyLengthMax } from "#contract/idempotency";
import { readIdempotencyKey } from "./idempotency-key.ts";

const read = (...values: readonly string[]) =>
  readIdempotencyKey(
    {
      headers: { "idempotency-key": values.join(", ") },
      rawHeaders: values.flatMap((value) => ["Idempotency-Key", value]),
    },
    { method: "POST" },
  );

const longest = "k".repeat(idempotencyKeyLengthMax);

describe("the key of a call", () => {
  it.each([
    ["k", "k"],
    ['"k"', "k"],
    ["8e03978e-40d5-43e8-bc93-6894a57f9324", "8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ["two words, and ~ !", "two words, and ~ !"],
    ['"a \\" and a \\\\"', 'a " and a \\'],
    [longest, longest],
    [`"${longest}"`, longest],
  ])("of %j is %j", (sent, key) => {
    expect(read(sent)).toBe(key);
  });

  it.each([
    "",
    '""',
    '"open',
    '"a"b',
    '"a";b=1',
    '"a\\b"',
    "ñ",
    "a\u0000b",
    "a\tb",
    `${longest}k`,
    `"${longest}k"`,
  ])("is refused: %j", (sent) => {
    expect(() => read(sent)).toThrow(
      expect.objectContaining({
        code: "request_invalid",
        facts: {
          code: 1104,
          errors: [
            `header idempotency-key: must be 1 to ${idempotencyKeyLengthMax} printable ASCII characters, bare or as a quoted string (RFC 8941)`,
          ],
        },
      }),
    );
  });

  it("is refused if it was sent twice, also with one value", () => {
    expect(() => read("a", "a")).toThrow(
      expect.objectContaining({
        facts: { code: 1104, errors: ["header idempotency-key: must be sent once"] },
      }),
    );
  });

  it("is undefined without the header and for methods that repeat safely", () => {
    expect(readIdempotencyKey({ headers: {}, rawHeaders: [] }, { method: "POST" })).toBeUndefined();
    const sent = { headers: { "idempotency-key": "" }, rawHeaders: [] };
    expect(readIdempotencyKey(sent, { method: "GET" })).toBeUndefined();
    expect(readIdempotencyKey(sent, { method: "DELETE" })).toBeUndefined();
  });
});

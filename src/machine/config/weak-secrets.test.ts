import { createHash, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { findWeakSecrets } from "./weak-secrets.ts";

/**
 * A key with this number of different bytes, in an order without a rule (SHA-256 of a text of our choice).
 */
const keyOf = (different: number): string => {
  const some = createHash("sha512").update("idem").digest();
  const values = [...new Set(some)].slice(0, different);
  return Buffer.from(
    Array.from({ length: 32 }, (_, at) => values[at] ?? values[(at * at) % different] ?? 0),
  ).toString("base64");
};

const keyBy = (rule: (at: number) => number): string =>
  Buffer.from(Array.from({ length: 32 }, (_, at) => ((rule(at) % 256) + 256) % 256)).toString("base64");

/** Random bytes that repeat themselves. */
const repeated = (period: number): string => {
  const some = randomBytes(period);
  return keyBy((at) => some[at % period] ?? 0);
};

/** The first 32 numbers of a sequence in which each follows from the two before. */
const fibonacci = (): readonly number[] => {
  const row = [1, 2];
  while (row.length < 32) row.push((row.at(-1)! + row.at(-2)!) % 256);
  return row;
};

describe("a secret", () => {
  it.each([
    ["zeros", Buffer.alloc(32).toString("base64"), 1],
    ["a repeated byte", Buffer.alloc(32, 0xa5).toString("base64"), 1],
    ["a repeated word", Buffer.from("password".repeat(4)).toString("base64"), 7],
    ["fifteen different bytes", keyOf(15), 15],
  ])("is weak as a master key: %s", (_what, key, different) => {
    expect(findWeakSecrets({ IDEM_MASTER_KEY: key })).toEqual([
      `IDEM_MASTER_KEY has only ${different} different values in its 32 bytes: it can be guessed. Create a random one: openssl rand -base64 32`,
    ]);
  });

  it("is a master key with sixteen different bytes, as every random one has", () => {
    expect(findWeakSecrets({ IDEM_MASTER_KEY: keyOf(16) })).toEqual([]);
    for (let round = 0; round < 2_000; round += 1) {
      expect(findWeakSecrets({ IDEM_MASTER_KEY: randomBytes(32).toString("base64") })).toEqual([]);
    }
  });

  it.each([
    ["ascending bytes", keyBy((at) => at)],
    ["ascending bytes from another start", keyBy((at) => 200 + at)],
    ["descending bytes", keyBy((at) => 255 - at)],
    ["steps of seven", keyBy((at) => 7 * at)],
    ["squares", keyBy((at) => at * at + 3 * at)],
    ["cubes", keyBy((at) => at ** 3 + at)],
    [
      "powers of three",
      Buffer.from(Array.from({ length: 32 }, (_, at) => Number(3n ** BigInt(at) % 256n))).toString("base64"),
    ],
    ["each the sum of the two before", Buffer.from(fibonacci()).toString("base64")],
    ["a repeated half", repeated(16)],
    ["a repeated third, cut", repeated(11)],
    ["a counter of two bytes", keyBy((at) => (at % 2 === 0 ? 0 : at))],
    ["a counter of four bytes, the lowest first", keyBy((at) => (at % 4 === 0 ? at / 4 : at % 4))],
    ["two counters in turn", keyBy((at) => (at % 2 === 0 ? at : 255 - at))],
    [
      "sorted bytes",
      Buffer.from([...randomBytes(64)].toSorted((a, b) => a - b).slice(0, 32)).toString("base64"),
    ],
    ["an alphabet", Buffer.from("abcdefghijklmnopqrstuvwxyz012345").toString("base64")],
    ["the text of ascending letters", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopo="],
    ["words", Buffer.from("correct horse battery staple 123").toString("base64")],
    ["words in another alphabet", Buffer.from("contraseña muy larga y secretaa").toString("base64")],
    ["hex digits of a shorter key", Buffer.from(randomBytes(16).toString("hex")).toString("base64")],
  ])("is weak as a master key that follows a rule: %s", (_what, key) => {
    expect(findWeakSecrets({ IDEM_MASTER_KEY: key })).toEqual([
      expect.stringMatching(
        /^IDEM_MASTER_KEY (?:follows a pattern|is a text that a person could have typed|has only \d+ )/,
      ),
    ]);
  });

  it.each([
    "0123456789abcdef",
    "fedcba9876543210",
    "xxxxxxxxxxxxxxxx",
    "abcabcabcabcabcabc",
    "1234567890123456",
    "qwertyuiopasdfgh",
    "idem-metrics-token",
    "prometheus-password",
    "ChangeMe-ChangeMe-1",
    Buffer.from("a password that I typed").toString("hex"),
    Buffer.from("a password that I typed").toString("base64"),
  ])("is weak as a token for metrics: %s", (token) => {
    expect(findWeakSecrets({ IDEM_METRICS_TOKEN: token })).toEqual([
      expect.stringMatching(/^IDEM_METRICS_TOKEN .*: it can be guessed/),
    ]);
  });

  it("is a random token in each usual form", () => {
    for (let round = 0; round < 1_000; round += 1) {
      for (const token of [
        randomBytes(8).toString("hex"),
        randomBytes(16).toString("hex"),
        randomBytes(32).toString("base64"),
        randomBytes(24).toString("base64url"),
        crypto.randomUUID(),
      ]) {
        expect(findWeakSecrets({ IDEM_METRICS_TOKEN: token }), token).toEqual([]);
      }
    }
  });

  it("is weak as a token for metrics with fewer than sixteen characters", () => {
    expect(findWeakSecrets({ IDEM_METRICS_TOKEN: "x".repeat(15) })).toEqual([
      "IDEM_METRICS_TOKEN has 15 of at least 16 characters: it can be guessed. Create a random one: openssl rand -hex 16",
    ]);
    expect(findWeakSecrets({ IDEM_METRICS_TOKEN: "9c1f03ab57e2d486" })).toEqual([]);
  });
});

describe("a weak secret", () => {
  const weak = { IDEM_MASTER_KEY: keyOf(1), IDEM_METRICS_TOKEN: "m" };

  it("is refused by production", () => {
    const read = () => readConfig({ ...weak, IDEM_MODE: "production" });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      /IDEM_MASTER_KEY has only 1 different values[^]*IDEM_METRICS_TOKEN has 1 of at least 16/,
    );
  });

  it("is named in development, where it is allowed", () => {
    expect(readConfig(weak).weakSecrets).toHaveLength(2);
    expect(readConfig({ IDEM_MASTER_KEY: keyOf(32) }).weakSecrets).toEqual([]);
  });

  it("may be the former master key, so that a rotation can leave it", () => {
    const rotating = { IDEM_MASTER_KEY: keyOf(32), IDEM_MASTER_KEY_PREVIOUS: keyOf(1) };
    expect(readConfig({ ...rotating, IDEM_MODE: "production" }).weakSecrets).toEqual([]);
  });
});

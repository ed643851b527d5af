import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { findWeakSecrets } from "./weak-secrets.ts";

/** A key with this number of different bytes. */
const keyOf = (different: number): string =>
  Buffer.from(Uint8Array.from({ length: 32 }, (_, at) => at % different)).toString("base64");

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

  it("is weak as a token for metrics with fewer than sixteen characters", () => {
    expect(findWeakSecrets({ IDEM_METRICS_TOKEN: "x".repeat(15) })).toEqual([
      "IDEM_METRICS_TOKEN has 15 of at least 16 characters: it can be guessed. Create a random one: openssl rand -hex 16",
    ]);
    expect(findWeakSecrets({ IDEM_METRICS_TOKEN: "0123456789abcdef" })).toEqual([]);
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

import { readdir, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { apiKeyPattern, hashApiKey, looksLikeApiKey, makeApiKey } from "./api-key.ts";
import { isCountryCode } from "./country.ts";
import { facialAuthenticationNumber } from "./facial-authentication.ts";
import { livenessNumber } from "./liveness.ts";
import { outcomeOf } from "./outcome.ts";
import { reasons } from "./reason-code.ts";
import { sentValidationCodes, validationCode } from "./validation-code.ts";

describe("outcomeOf", () => {
  it("maps every pair of numbers as integrators of the interface do by hand", () => {
    for (const facial of Object.values(facialAuthenticationNumber)) {
      for (const liveness of Object.values(livenessNumber)) {
        const outcome = outcomeOf({ facial, liveness });
        const isError = liveness === 10 || liveness === 15;
        const isRejected = facial === 1 || liveness === 1 || liveness === 17;
        const expected = isError
          ? "error"
          : isRejected
            ? "rejected"
            : facial === 3 && liveness === 3
              ? "approved"
              : "retry";
        expect(outcome, `${facial} and ${liveness}`).toBe(expected);
      }
    }
  });

  it("judges a single result, and approves nothing without any result", () => {
    expect(outcomeOf({ liveness: 3 })).toBe("approved");
    expect(outcomeOf({ facial: 5 })).toBe("retry");
    expect(outcomeOf({})).toBe("retry");
  });
});

describe("code tables", () => {
  it("number the liveness diagnostics 0 to 18 without a gap", () => {
    expect(Object.values(livenessNumber)).toEqual(Array.from({ length: 19 }, (_, n) => n));
  });

  it("hold every reason code: 1xx and 5xx decline at most, 2xx and 6xx ask again at most", () => {
    const codes = Object.entries(reasons);
    expect(codes).toHaveLength(105);
    for (const [code, { alone }] of codes) {
      expect("1256").toContain(code[0]);
      if ("26".includes(code[0]!)) expect(alone, code).not.toBe("decline");
      else expect(alone, code).not.toBe("resubmit");
    }
  });

  it("never state a validation code twice", () => {
    const codes = Object.values(validationCode).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("mark exactly the validation codes in use as sent", async () => {
    const folder = new URL("../", import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
    const named = (name: string) =>
      texts.filter((text) => text.includes(`validationCode.${name}.code`)).length;
    // One mention is the list itself.
    const sent = Object.entries(validationCode).filter(([name]) => named(name) > 1);
    expect(new Set(sent.map(([, { code }]) => code))).toEqual(sentValidationCodes);
  });

  it("hold the countries of ISO and the issuers of ICAO, and no others", () => {
    expect(["CHL", "UTO", "XXA", "RKS"].every(isCountryCode)).toBe(true);
    expect(["QQQ", "chl", "", "CH"].some(isCountryCode)).toBe(false);
  });
});

describe("API keys", () => {
  it("carry 256 random bits and a checksum that detects any changed character", () => {
    const key = makeApiKey("live");
    expect(key).toMatch(apiKeyPattern);
    expect(looksLikeApiKey(key)).toBe(true);
    for (let at = 0; at < key.length; at++) {
      const changed = key.slice(0, at) + (key[at] === "x" ? "y" : "x") + key.slice(at + 1);
      expect(looksLikeApiKey(changed)).toBe(false);
    }
    expect(new Set(Array.from({ length: 100 }, () => makeApiKey("test"))).size).toBe(100);
  });

  it("are stored as SHA-256", () => {
    expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

import { describe, expect, it } from "vitest";
import { civilValidationRoute } from "#contract/civil-validation.routes";
import { implement } from "#contract/endpoint";
import { Failure } from "#contract/failure";

const endpoint = implement(civilValidationRoute, async () => ({
  serviceResultCode: 0,
  serviceResultLog: "",
  serviceTime: "0",
  serviceTransactionId: "",
  timestamp: "",
}));

/** The fields that the request lacks. */
const lackingOf = async (request: object): Promise<readonly string[]> =>
  endpoint
    .handle({
      request,
      caller: { tenantId: "t", keyId: "k", environment: "test" },
      transactionId: "x",
      requestId: "r",
      receivedAt: new Date(0),
      signal: new AbortController().signal,
      elapsedMs: () => 0,
    })
    .then(
      () => [],
      (error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        const { errors = [] } = error.facts;
        return [errors].flat().map((sentence) => String(sentence).split(":")[0] ?? "");
      },
    );

const front = "imageFrontDocument";
const back = "imageBackDocument";

/**
 * Each pair of operation and platform, with and without documentNumber, and what the interface's table asks
 * for.
 */
const table: readonly (readonly [
  operation: string,
  platform: string,
  hasNumber: boolean,
  asked: readonly string[],
])[] = [
  ["FACIAL", "WEB", true, [front, back, "countryCode", "templateRaw"]],
  ["FACIAL", "WEB", false, [front, back, "countryCode", "tokenOcr", "templateRaw"]],
  ["FACIAL", "MOBILE", true, ["countryCode", "tokenOcr", "templateRaw"]],
  ["FACIAL", "MOBILE", false, [front, back, "tokenOcr", "templateRaw"]],
  ["DATA", "WEB", true, [front, back, "countryCode"]],
  ["DATA", "WEB", false, [front, back, "countryCode"]],
  ["DATA", "MOBILE", true, ["tokenOcr"]],
  ["DATA", "MOBILE", false, ["tokenOcr"]],
  ["FULL", "WEB", true, [front, back, "countryCode", "templateRaw"]],
  ["FULL", "WEB", false, [front, back, "countryCode", "templateRaw"]],
  ["FULL", "MOBILE", true, ["tokenOcr", "templateRaw"]],
  ["FULL", "MOBILE", false, ["tokenOcr", "templateRaw"]],
];

describe("civilValidation", () => {
  it.each(table)(
    "asks of %s on %s, with documentNumber %s, for %j alone",
    async (operation, platform, hasNumber, asked) => {
      const request = { operation, platform, ...(hasNumber && { documentNumber: "0912345678" }) };
      expect(await lackingOf(request)).toEqual(asked);
      const complete = Object.fromEntries(
        asked.map((name) => [name, name === "countryCode" ? "CRI" : "QUJD"]),
      );
      expect(await lackingOf({ ...request, ...complete })).toEqual([]);
      const emptied = Object.fromEntries(asked.map((name) => [name, ""]));
      expect(
        await lackingOf({ ...request, ...emptied, ...(!hasNumber && { documentNumber: null }) }),
      ).toEqual(asked);
    },
  );

  const data = { operation: "DATA", platform: "MOBILE", tokenOcr: "QUJD" };
  const facial = { ...data, operation: "FACIAL", documentNumber: "1", templateRaw: "QUJD" };

  it("never asks for documentNumber, and sets no length of the registries' numbers", async () => {
    for (const documentNumber of ["1", "8-123-456", "1234567890123"]) {
      expect(await lackingOf({ ...facial, documentNumber, countryCode: "CRI" })).toEqual([]);
    }
    expect(table.flatMap(([, , , asked]) => asked)).not.toContain("documentNumber");
  });

  it("asks for gender of ARG with documentNumber alone", async () => {
    const numbered = { ...data, documentNumber: "1" };
    expect(await lackingOf({ ...numbered, countryCode: "ARG" })).toEqual(["gender"]);
    expect(await lackingOf({ ...numbered, countryCode: "ARG", gender: "" })).toEqual(["gender"]);
    expect(await lackingOf({ ...numbered, countryCode: "ARG", gender: "F" })).toEqual([]);
    expect(await lackingOf({ ...data, countryCode: "ARG", gender: null })).toEqual([]);
    expect(await lackingOf({ ...numbered, countryCode: "PER", gender: "" })).toEqual([]);
    expect(await lackingOf({ ...numbered, countryCode: "PER", gender: "X" })).toEqual(["gender"]);
  });

  it("asks for the open image in ARG and PAN, and for the code of a finger in ECU", async () => {
    for (const countryCode of ["ECU", "CRI", "ARG", "PER", "GTM", "PAN", "HND"]) {
      const asked = await lackingOf({ ...facial, countryCode, gender: "M" });
      const expected = new Map([
        ["ARG", "bestImage"],
        ["PAN", "bestImage"],
        ["ECU", "documentCode"],
      ]).get(countryCode);
      expect(asked, countryCode).toEqual(expected === undefined ? [] : [expected]);
    }
  });
});

import { afterAll, afterEach, describe, expect, it } from "vitest";
import { registryCountries } from "#contract/country";
import { steerRegistry } from "#sandbox/personas/steer-registry";
import { openCivil } from "#support/registry/open-civil";
import type { FindRegistry } from "../registry.ts";

const none: FindRegistry = () => undefined;
let find = none;
/**
 * No registry is configured: a request that the rules accept ends there, or at its token where it names no
 * country.
 */
const civil = await openCivil((...asked) => find(...asked));
afterEach(() => {
  find = none;
});
afterAll(civil.close);

const operations = ["FACIAL", "DATA", "FULL"] as const;
const platforms = ["WEB", "MOBILE"] as const;
const countries = [undefined, ...registryCountries] as const;

type Case = {
  readonly operation: (typeof operations)[number];
  readonly platform: (typeof platforms)[number];
  readonly hasNumber: boolean;
  readonly country: (typeof countries)[number];
};

/** The conditions of the interface, row by row and as it words them. */
const table: Readonly<Record<string, (one: Case) => boolean>> = {
  imageFrontDocument: ({ operation, platform, hasNumber }) =>
    platform === "WEB" || (operation === "FACIAL" && !hasNumber),
  imageBackDocument: ({ operation, platform, hasNumber }) =>
    platform === "WEB" || (operation === "FACIAL" && !hasNumber),
  countryCode: ({ operation, platform, hasNumber }) =>
    platform === "WEB" || (platform === "MOBILE" && operation === "FACIAL" && hasNumber),
  tokenOcr: ({ operation, platform, hasNumber }) =>
    platform === "MOBILE" || (operation === "FACIAL" && !hasNumber),
  bestImage: ({ operation, country }) =>
    (operation === "FACIAL" || operation === "FULL") && (country === "ARG" || country === "PAN"),
  gender: ({ country, hasNumber }) => country === "ARG" && hasNumber,
  templateRaw: ({ operation }) => operation === "FACIAL" || operation === "FULL",
  documentCode: ({ country }) => country === "ECU",
};

const numbers = {
  ECU: "1710034065",
  CRI: "112340567",
  ARG: "30123456",
  PER: "70275722",
  GTM: "1234567890101",
  PAN: "8-123-456",
  HND: "0801199012345",
} as const;

const image = Buffer.from("an image").toString("base64");

const valueOf = (field: string): string =>
  field === "gender" ? "F" : field === "documentCode" ? "V1234I5678" : image;

const cases: readonly Case[] = operations.flatMap((operation) =>
  platforms.flatMap((platform) =>
    [true, false].flatMap((hasNumber) =>
      countries.map((country): Case => ({ operation, platform, hasNumber, country })),
    ),
  ),
);

const titleOf = ({ operation, platform, hasNumber, country }: Case): string =>
  `${operation} on ${platform}, ${hasNumber ? "with" : "without"} a number, ${country ?? "no country"}`;

const asked = (one: Case): readonly string[] =>
  Object.keys(table).filter((field) => table[field]?.(one) && !(field === "countryCode" && one.country));

const bodyOf = (one: Case, fields: readonly string[]) => ({
  operation: one.operation,
  platform: one.platform,
  ...(one.hasNumber && { documentNumber: numbers[one.country ?? "ECU"] }),
  ...(one.country && { countryCode: one.country }),
  ...Object.fromEntries(fields.map((field) => [field, valueOf(field)])),
});

const refusedFields = (body: { readonly errors?: readonly string[] }) =>
  body.errors?.map((error) => error.split(":")[0]).toSorted();

describe("the conditional table of civilValidation", { timeout: 120_000 }, () => {
  it("has 96 combinations", () => {
    expect(cases).toHaveLength(96);
  });

  it.each(cases.map((one) => [titleOf(one), one] as const))(
    "%s: asks for its fields alone",
    async (_, one) => {
      const fields = asked(one);
      const empty = await civil.post(bodyOf(one, []));
      if (fields.length > 0) {
        expect(empty).toMatchObject({ status: 400, body: { failure: "request_invalid", code: 1102 } });
        expect(refusedFields(empty.body)).toEqual(fields.toSorted());
      }
      // Where the country itself is missing, it is named beside the other field.
      const others = fields.filter((field) => field !== "countryCode");
      const missing = fields.filter((field) => field === "countryCode");
      for (const field of others) {
        const without = await civil.post(
          bodyOf(
            one,
            others.filter((other) => other !== field),
          ),
        );
        const named = [...missing, field].toSorted();
        expect([without.status, refusedFields(without.body), without.body.code]).toEqual([400, named, 1102]);
        const blank = await civil.post({
          ...bodyOf(one, others),
          [field]: field === "gender" ? undefined : "",
        });
        expect([blank.status, refusedFields(blank.body)]).toEqual([400, named]);
      }
      // A combination that must name its country has no complete form without one.
      if (missing.length > 0) return;
      const { status, body } = await civil.post(bodyOf(one, fields));
      expect([status, body.failure]).toEqual(
        one.country === undefined ? [422, "token_unreadable"] : [409, "registry_not_configured"],
      );
    },
  );
});

describe("a request of civilValidation", { timeout: 60_000 }, () => {
  const facial = { operation: "DATA", platform: "WEB", imageFrontDocument: image, imageBackDocument: image };

  it("with a code of Ecuador of another form is refused before any work", async () => {
    const request = { ...facial, countryCode: "ECU", documentNumber: "1710034065", gender: "F" };
    const { status, body } = await civil.post({ ...request, documentCode: "V1234" });
    expect([status, body.errors, body.code]).toEqual([
      400,
      ["documentCode: is no code of ECU (shape)"],
      1104,
    ]);
  });

  it.each([
    ["CHL", 2104],
    ["ecu", 2104],
  ])("of the country %s is refused with %i", async (countryCode, code) => {
    expect(await civil.post({ ...facial, countryCode })).toMatchObject({ status: 400, body: { code } });
  });

  it.each([
    ["ECU", "1710034064"],
    ["CRI", "012345678"],
    ["ARG", "123456"],
    ["PER", "70275722-8"],
    ["GTM", "1234567800101"],
    ["PAN", "14-1-1"],
    ["HND", "1901199012345"],
  ])(
    "with a number that is none of %s is refused before the registry is looked for",
    async (countryCode, documentNumber) => {
      const request = { ...facial, countryCode, documentNumber, documentCode: "V1234I5678", gender: "F" };
      const { status, body } = await civil.post(request);
      expect([status, body.failure, body.code]).toEqual([400, "request_invalid", 1104]);
      expect(refusedFields(body)).toEqual(["documentNumber"]);
      expect(JSON.stringify(body)).not.toContain(documentNumber);
    },
  );

  it("of another operation, platform or sex is refused", async () => {
    const request = { ...facial, countryCode: "PER" };
    for (const change of [{ operation: "ALL" }, { platform: "IOS" }, { gender: "X" }]) {
      expect(await civil.post({ ...request, ...change })).toMatchObject({
        status: 400,
        body: { code: 1104 },
      });
    }
  });

  it("about another number than a persona's has no registry, before any work and without evidence", async () => {
    const number = "0801199090001";
    find = steerRegistry(none, [{ country: "HND", number, answer: { kind: "unknown" } }]);
    const request = { ...facial, countryCode: "HND" };
    const answer = await civil.post({ ...request, documentNumber: numbers.HND });
    expect(answer).toMatchObject({ status: 409, body: { failure: "registry_not_configured" } });
    expect(civil.operations.query("select 1 from evidence_bodies")).toEqual([]);
    // The number of the persona passes, so that its images are read; and so does a number that is still on
    // them.
    expect(await civil.post({ ...request, documentNumber: number })).toMatchObject({ status: 422 });
    expect(await civil.post(request)).toMatchObject({ status: 422 });
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { AcceptedBreak } from "./accepted-breaks.ts";
import { type Break, type BreakKind, breakKinds } from "./breaks.ts";
import { compareContracts } from "./compare-contracts.ts";
import { compareVersions, judgeBreaks } from "./judge-breaks.ts";
import { readContract } from "./read-contract.ts";

/** A contract with one operation, as plain data that a test changes. */
const draft = () => ({
  openapi: "3.1.0",
  info: { version: "1.0.0" },
  security: [{ apiKey: [] }],
  paths: {
    "/things": {
      post: {
        operationId: "makeThing",
        summary: "Makes a thing",
        parameters: [
          { name: "family", in: "header", required: false, schema: { type: "string", enum: ["A", "B"] } },
        ],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Request" } } },
        },
        responses: {
          "200": {
            headers: { "Retry-After": {} },
            content: { "application/json": { schema: { $ref: "#/components/schemas/Response" } } },
          },
          "429": {
            content: {
              "application/problem+json": {
                schema: { type: "object" },
                examples: { rate_limited: { value: {} } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Request: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", maxLength: 10, minLength: 1 },
          kind: { type: "string", enum: ["ONE", "TWO"] },
          count: { anyOf: [{ type: "integer" }, { type: "string" }] },
          ids: { type: "array", maxItems: 5, items: { type: "string" } },
        },
      },
      Response: {
        type: "object",
        required: ["result", "score"],
        properties: {
          result: { type: "string", enum: ["yes", "no"] },
          score: { type: "number", minimum: 0, maximum: 1 },
          note: { anyOf: [{ type: "string" }, { type: "null" }] },
          page: { type: "string", format: "uri-reference" },
          parts: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
        },
      },
    },
  },
});

type Draft = ReturnType<typeof draft>;
type Loose = { [key: string]: Loose };

const loose = (value: Draft): Loose => JSON.parse(JSON.stringify(value));

const breaksOf = (change: (contract: Loose) => void, first: (contract: Loose) => void = () => {}) => {
  const [former, current] = [loose(draft()), loose(draft())];
  first(former);
  first(current);
  change(current);
  return compareContracts(readContract(stringify(former)), readContract(stringify(current)));
};

const postOf = (contract: Loose): Loose => contract["paths"]!["/things"]!["post"]!;
const fieldsOf = (contract: Loose, schema: string): Loose =>
  contract["components"]!["schemas"]![schema]!["properties"]!;
const put = (target: Loose, key: string, value: unknown): void => {
  Object.assign(target, { [key]: value });
};

type Change = readonly [title: string, kind: BreakKind, place: string, change: (contract: Loose) => void];

const changes: readonly Change[] = [
  ["a removed operation", "operation-removed", "", (api) => delete api["paths"]!["/things"]],
  ["a renamed operation", "operation-renamed", "", (api) => put(postOf(api), "operationId", "createThing")],
  ["another key", "security-changed", "", (api) => put(postOf(api), "security", [{ bearer: [] }])],
  ["a removed answer", "answer-removed", "200", (api) => delete postOf(api)["responses"]!["200"]],
  [
    "a failure code of another status",
    "code-moved",
    "rate_limited",
    (api) => {
      const { responses } = postOf(api);
      put(responses!, "403", responses!["429"]);
      delete responses!["429"];
    },
  ],
  [
    "a removed header",
    "header-removed",
    "200 retry-after",
    (api) => delete postOf(api)["responses"]!["200"]!["headers"],
  ],
  [
    "another media type of the answer",
    "media-type-removed",
    "200",
    (api) => put(postOf(api)["responses"]!["200"]!, "content", { "text/plain": {} }),
  ],
  [
    "another media type of the request",
    "media-type-removed",
    "request",
    (api) => put(postOf(api)["requestBody"]!, "content", { "text/plain": {} }),
  ],
  [
    "a removed field of the answer",
    "response-field-removed",
    "200 note",
    (api) => delete fieldsOf(api, "Response")["note"],
  ],
  [
    "a renamed field deep in the answer",
    "response-field-removed",
    "200 parts[].name",
    (api) => put(fieldsOf(api, "Response")["parts"]!["items"]!, "properties", { title: { type: "string" } }),
  ],
  [
    "a field that may now be absent",
    "response-field-optional",
    "200 score",
    (api) => put(api["components"]!["schemas"]!["Response"]!, "required", ["result"]),
  ],
  [
    "a field that may now be null",
    "response-type-changed",
    "200 result",
    (api) => put(fieldsOf(api, "Response")["result"]!, "type", ["string", "null"]),
  ],
  [
    "an integer that becomes a number",
    "response-type-changed",
    "200 whole",
    (api) => put(fieldsOf(api, "Response"), "whole", { type: "number" }),
  ],
  [
    "a score with a higher maximum",
    "response-widened",
    "200 score",
    (api) => put(fieldsOf(api, "Response")["score"]!, "maximum", 100),
  ],
  [
    "an address that may be of any text",
    "response-widened",
    "200 page",
    (api) => delete fieldsOf(api, "Response")["page"]!["format"],
  ],
  [
    "an answer whose values are no longer listed",
    "response-widened",
    "200 result",
    (api) => delete fieldsOf(api, "Response")["result"]!["enum"],
  ],
  [
    "a removed value of the answer",
    "value-removed",
    "200 result",
    (api) => put(fieldsOf(api, "Response")["result"]!, "enum", ["yes"]),
  ],
  [
    "a removed value of the request",
    "value-removed",
    "request kind",
    (api) => put(fieldsOf(api, "Request")["kind"]!, "enum", ["ONE", "THREE"]),
  ],
  [
    "a removed value of a header",
    "value-removed",
    "header family",
    (api) => put(postOf(api), "parameters", [{ ...family, schema: { type: "string", enum: ["A"] } }]),
  ],
  [
    "a removed field of the request",
    "request-field-ignored",
    "request kind",
    (api) => delete fieldsOf(api, "Request")["kind"],
  ],
  ["a removed header", "request-field-ignored", "header family", (api) => put(postOf(api), "parameters", [])],
  [
    "a new required field",
    "request-field-required",
    "request colour",
    (api) => {
      put(fieldsOf(api, "Request"), "colour", { type: "string" });
      put(api["components"]!["schemas"]!["Request"]!, "required", ["name", "colour"]);
    },
  ],
  [
    "an optional field that becomes required",
    "request-field-required",
    "request kind",
    (api) => put(api["components"]!["schemas"]!["Request"]!, "required", ["name", "kind"]),
  ],
  [
    "a header that becomes required",
    "request-field-required",
    "header family",
    (api) => put(postOf(api), "parameters", [{ ...family, required: true }]),
  ],
  [
    "a new required parameter",
    "request-field-required",
    "query page",
    (api) =>
      put(postOf(api), "parameters", [
        family,
        { name: "page", in: "query", required: true, schema: { type: "string" } },
      ]),
  ],
  [
    "a shorter text",
    "request-narrowed",
    "request name",
    (api) => put(fieldsOf(api, "Request")["name"]!, "maxLength", 9),
  ],
  [
    "a longer text at least",
    "request-narrowed",
    "request name",
    (api) => put(fieldsOf(api, "Request")["name"]!, "minLength", 2),
  ],
  [
    "a new pattern",
    "request-narrowed",
    "request name",
    (api) => put(fieldsOf(api, "Request")["name"]!, "pattern", "^a"),
  ],
  [
    "a list with fewer entries",
    "request-narrowed",
    "request ids",
    (api) => put(fieldsOf(api, "Request")["ids"]!, "maxItems", 4),
  ],
  [
    "entries of another type",
    "request-narrowed",
    "request ids[]",
    (api) => put(fieldsOf(api, "Request")["ids"]!, "items", { type: "integer" }),
  ],
  [
    "a type that is no longer accepted",
    "request-narrowed",
    "request count",
    (api) => put(fieldsOf(api, "Request"), "count", { type: "integer" }),
  ],
  [
    "a request without further fields",
    "request-narrowed",
    "request ",
    (api) => put(api["components"]!["schemas"]!["Request"]!, "additionalProperties", false),
  ],
];

const family = {
  name: "family",
  in: "header",
  required: false,
  schema: { type: "string", enum: ["A", "B"] },
};

/** The state before the change, where the draft lacks what it changes. */
const withWhole = (contract: Loose): void =>
  put(fieldsOf(contract, "Response"), "whole", { type: "integer" });

describe("a change that breaks callers", () => {
  it.each(changes)("is found: %s", (_title, kind, place, change) => {
    const breaks = breaksOf(change, withWhole);
    expect(breaks).toEqual([
      expect.objectContaining<Partial<Break>>({ kind, place, operation: "POST /things" }),
    ]);
  });

  it("is found: a key where none was needed", () => {
    const [former, current] = [loose(draft()), loose(draft())];
    put(postOf(former), "security", []);
    const found = compareContracts(readContract(stringify(former)), readContract(stringify(current)));
    expect(found.map(({ kind }) => kind)).toEqual(["security-changed"]);
  });

  it("is tested for each kind", () => {
    expect(new Set(changes.map(([, kind]) => kind))).toEqual(new Set(Object.keys(breakKinds)));
  });
});

describe("a change that breaks no caller", () => {
  const harmless: readonly (readonly [string, (contract: Loose) => void])[] = [
    ["none", () => {}],
    ["a further key", (api) => put(postOf(api), "security", [{ apiKey: [] }, { bearer: [] }])],
    ["another summary", (api) => put(postOf(api), "summary", "Creates a thing")],
    [
      "a new operation",
      (api) => put(api["paths"]!, "/other", { get: { operationId: "other", responses: {} } }),
    ],
    ["a new field of the answer", (api) => put(fieldsOf(api, "Response"), "more", { type: "string" })],
    [
      "a new optional field of the request",
      (api) => put(fieldsOf(api, "Request"), "more", { type: "string" }),
    ],
    ["a longer text", (api) => put(fieldsOf(api, "Request")["name"]!, "maxLength", 11)],
    [
      "another accepted value",
      (api) => put(fieldsOf(api, "Request")["kind"]!, "enum", ["ONE", "TWO", "THREE"]),
    ],
    [
      "another value of the answer",
      (api) => put(fieldsOf(api, "Response")["result"]!, "enum", ["yes", "no", "?"]),
    ],
    [
      "a field of the answer that is never null",
      (api) => put(fieldsOf(api, "Response"), "note", { type: "string" }),
    ],
    [
      "a field of the request that may be left out",
      (api) => delete api["components"]!["schemas"]!["Request"]!["required"],
    ],
    ["a score with a lower maximum", (api) => put(fieldsOf(api, "Response")["score"]!, "maximum", 0.5)],
    [
      "an address of the answer that is always absolute now",
      (api) => put(fieldsOf(api, "Response")["page"]!, "format", "uri"),
    ],
    ["another refusal", (api) => put(postOf(api)["responses"]!, "409", { content: {} })],
    ["a refusal that is gone", (api) => delete postOf(api)["responses"]!["429"]],
    [
      "a new optional parameter",
      (api) => put(postOf(api), "parameters", [family, { ...family, name: "page" }]),
    ],
  ];
  it.each(harmless)("is allowed: %s", (_title, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});

describe("the contract of this release", () => {
  const text = (path: string) => readFileSync(new URL(`../../api/${path}`, import.meta.url), "utf8");

  it("is read completely: every operation has an answer, and every problem its codes", () => {
    const { operations } = readContract(text("openapi.yaml"));
    expect(operations.length).toBeGreaterThan(30);
    for (const { name, answers } of operations) {
      expect(answers.has("200"), name).toBe(true);
      for (const { contents, codes } of answers.values()) {
        const isProblem = contents.size === 1 && contents.has("application/problem+json");
        expect(isProblem && codes.length === 0, name).toBe(false);
      }
    }
  });

  it("breaks if any operation of a release is removed", () => {
    const former = readContract(text("released/0.1.0.yaml"));
    for (const { name } of former.operations) {
      const operations = former.operations.filter((one) => one.name !== name);
      const breaks = compareContracts(former, { ...former, operations });
      expect(breaks.map(({ kind, operation }) => [kind, operation])).toEqual([["operation-removed", name]]);
    }
  });
});

describe("accepted breaks", () => {
  const one: Break = { kind: "value-removed", operation: "POST /a", place: "200 x", change: "gone" };
  const entry: AcceptedBreak = { kind: "value-removed", operation: "POST /a", place: "200 x", reason: "r" };

  it("are not refused, others are", () => {
    const other: Break = { ...one, place: "200 y" };
    expect(judgeBreaks([one, other], [entry])).toEqual({ refused: [other], stale: [] });
  });

  it("that no longer occur are reported", () => {
    expect(judgeBreaks([], [entry])).toEqual({ refused: [], stale: [entry] });
  });
});

it.each([
  ["0.1.0", "0.2.0", -1],
  ["0.10.0", "0.9.9", 1],
  ["1.0.0", "0.99.0", 1],
  ["1.2.3", "1.2.3", 0],
] as const)("orders versions by their numbers: %s and %s", (one, other, sign) => {
  expect(Math.sign(compareVersions(one, other))).toBe(sign);
});

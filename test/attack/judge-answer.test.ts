import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { readContract } from "../../scripts/contract/read-contract.ts";
import type { Received } from "./exchange.ts";
import { makeJudgeAnswer } from "./judge-answer.ts";

const problem = (...codes: readonly string[]) => ({
  headers: { "Retry-After": {} },
  content: {
    "application/problem+json": {
      schema: { type: "object", required: ["failure", "status"] },
      examples: Object.fromEntries(codes.map((code) => [code, {}])),
    },
  },
});

const answered = {
  type: "object",
  required: ["score"],
  properties: { score: { type: "number", minimum: 0, maximum: 1 } },
};

const [operation] = readContract(
  stringify({
    info: { version: "1.0.0" },
    paths: {
      "/things": {
        post: {
          operationId: "makeThing",
          responses: {
            "200": { content: { "application/json": { schema: answered } } },
            "400": problem("request_invalid", "json_unreadable"),
            "500": problem("internal_error"),
            "503": problem("engine_busy"),
          },
        },
      },
    },
  }),
).operations;

const judge = makeJudgeAnswer();

const received = (status: number, body: object, change: Partial<Received> = {}): Received => ({
  status,
  type: status === 200 ? "application/json" : "application/problem+json",
  headers: { "retry-after": "1" },
  text: JSON.stringify(body),
  ms: 1,
  ...change,
});

const refusal = (status: number, failure: string, change: Partial<Received> = {}) =>
  received(status, { failure, status }, change);

describe("an answer of the contract", () => {
  it.each([
    ["a success", received(200, { score: 0.5 })],
    ["a declared refusal", refusal(400, "json_unreadable")],
    ["a full queue", refusal(503, "engine_busy")],
  ])("has no fault: %s", (_title, answer) => {
    expect(judge(operation!, answer)).toEqual([]);
  });
});

describe("an answer outside the contract", () => {
  it.each([
    ["an undeclared status", received(418, {}), /418, which the contract does not declare/],
    ["an internal error, though declared", refusal(500, "internal_error"), /^answered 500/],
    ["an undeclared failure", refusal(400, "not_found"), /not_found is not declared for 400/],
    ["another media type", received(200, { score: 0.5 }, { type: "text/html" }), /"text\/html"/],
    ["a body outside its schema", received(200, { score: 2 }), /does not fit its schema/],
    ["a body without a field", received(200, {}), /does not fit its schema/],
    ["a body that is no JSON", received(200, {}, { text: "{" }), /does not fit its schema/],
    ["a problem of another status", received(400, { failure: "json_unreadable", status: 401 }), /states 401/],
    [
      "a full queue without Retry-After",
      refusal(503, "engine_busy", { headers: {} }),
      /without the header retry-after/,
    ],
    ["no answer", received(0, {}, { text: "ECONNRESET" }), /ended without an answer \(ECONNRESET\)/],
  ])("has a fault: %s", (_title, answer, fault) => {
    expect(judge(operation!, answer)).toEqual([expect.stringMatching(fault)]);
  });
});

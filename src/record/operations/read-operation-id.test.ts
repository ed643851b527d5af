import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOperationId } from "./read-operation-id.ts";

const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
const json = JSON.stringify({ platform: "web", operationId: id });
const base64 = (text: string, form: "base64" | "base64url" = "base64") => Buffer.from(text).toString(form);
const jwt = (payload: string, signature = "c2ln") =>
  [base64('{"alg":"HS256"}', "base64url"), base64(payload, "base64url"), signature].join(".");

describe("the operation id in a tracking token", () => {
  it.each([
    ["JSON", json],
    ["JSON with spaces", `  ${JSON.stringify({ operationId: id }, null, 2)}`],
    ["Base64 of JSON", base64(json)],
    ["Base64url of JSON", base64(json, "base64url")],
    ["a JWT", jwt(json)],
    ["a JWT without a signature", jwt(json, "")],
    ["the other spelling", JSON.stringify({ operation_id: id })],
  ])("is read from %s", (_, text) => {
    expect(readOperationId(text)).toBe(id);
  });

  it.each([
    ["no JSON", "no Base64 !"],
    ["a list", `["${id}"]`],
    ["a number", '{"operationId":7}'],
    ["an object", '{"operationId":{"operationId":"a"}}'],
    ["an empty id", '{"operationId":""}'],
    ["a name of the prototype", '{"__proto__":{"operationId":"a"}}'],
    ["a token that is too long", JSON.stringify({ operationId: id, more: "a".repeat(100_000) })],
    ["JSON that is cut off", json.slice(0, -1)],
    ["a JWT with two parts", jwt(json).split(".").slice(0, 2).join(".")],
  ])("is absent in %s", (_, text) => {
    expect(readOperationId(text)).toBeUndefined();
  });

  it("is absent in any other text, and no text is an error", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        expect(readOperationId(text)).toBeUndefined();
      }),
    );
  });
});

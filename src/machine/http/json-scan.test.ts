import { describe, expect, it } from "vitest";
import { bodyNeedOf } from "#contract/body-limit";
import { Failure } from "#contract/failure";
import { routes } from "#contract/routes";
import { jsonLimits, longTextBytes, scanJson } from "./json-scan.ts";

const scan = (text: string) => scanJson(Buffer.from(text));

const refusalOf = (text: string | Buffer) => {
  try {
    scanJson(Buffer.from(text));
  } catch (error) {
    if (error instanceof Failure) return { failure: error.code, ...error.facts };
  }
  return undefined;
};

const { depthMax, tokensMax, longTextsMax, otherBytesMax } = jsonLimits;
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("the structure of a body", () => {
  it(`may be ${depthMax} levels deep, and no deeper`, () => {
    expect(refusalOf(nested(depthMax))).toBeUndefined();
    expect(refusalOf(nested(depthMax + 1))).toEqual({
      failure: "json_unreadable",
      reason: "it is nested too deeply",
      depthMax,
    });
    expect(refusalOf(`{"a":${'{"a":'.repeat(depthMax)}`)).toMatchObject({ depthMax });
  });

  it("counts depth, not brackets: many shallow lists are no deep one", () => {
    expect(refusalOf(`[${"[],".repeat(1_000)}[]]`)).toBeUndefined();
  });

  it(`may have ${tokensMax} structural characters, and no more`, () => {
    const list = (commas: number) => `[${"1,".repeat(commas)}1]`;
    expect(refusalOf(list(tokensMax - 2))).toBeUndefined();
    expect(refusalOf(list(tokensMax - 1))).toEqual({
      failure: "json_unreadable",
      reason: "it has too many fields and items",
      tokensMax,
    });
  });

  it("is counted outside of texts alone", () => {
    expect(refusalOf(`{"a":"${"[{,:".repeat(tokensMax)}"}`)).toBeUndefined();
    expect(refusalOf(String.raw`{"a":"\"[[[[${"[".repeat(1_000)}"}`)).toBeUndefined();
  });

  it(`may have ${longTextsMax} long texts, and no more`, () => {
    const texts = (count: number) =>
      JSON.stringify(Array.from({ length: count }, () => "a".repeat(longTextBytes + 1)));
    expect(scan(texts(longTextsMax))).toHaveLength(longTextsMax);
    expect(refusalOf(texts(longTextsMax + 1))).toMatchObject({ longTextsMax });
  });

  it(`may have ${otherBytesMax} bytes beside long texts, and no more`, () => {
    const long = `"${"a".repeat(otherBytesMax)}"`;
    const spaces = (count: number) => `{"a":${long},${" ".repeat(count)}"b":1}`;
    const others = '{"a":"","b":1}'.length;
    expect(refusalOf(spaces(otherBytesMax - others))).toBeUndefined();
    expect(refusalOf(spaces(otherBytesMax - others + 1))).toMatchObject({ otherBytesMax });
  });

  it("has space for the largest body of every route", () => {
    for (const { name, request } of routes) {
      const { encodedFields, otherBytes } = bodyNeedOf({ request });
      expect(otherBytes, name).toBeLessThan(otherBytesMax);
      expect(encodedFields, name).toBeLessThan(longTextsMax / 4);
    }
  });

  it("allows longer texts than any route, so that a text cut to this length is still too long", () => {
    const judge = (schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      // A character may be two of the units in which texts are cut.
      if ("maxLength" in schema) expect(schema.maxLength).toBeLessThan(longTextBytes / 2);
      if ("maxItems" in schema) expect(schema.maxItems).toBeLessThan(tokensMax / 2);
      for (const part of Object.values(schema)) judge(part);
    };
    for (const { request } of routes) judge(request);
  });
});

describe("a text of a body", () => {
  it("is found with its place when it is long", () => {
    const [short, long] = ["a".repeat(longTextBytes), "a".repeat(longTextBytes + 1)];
    const body = `{"s":"${short}","l":"${long}"}`;
    const start = body.lastIndexOf('"a') + 1;
    expect(scan(body)).toEqual([{ start, end: start + long.length, isPlain: true }]);
    const escaped = body.replace(/a"\}$/, String.raw`\n"}`);
    expect(scan(escaped)).toEqual([{ start, end: start + long.length + 1, isPlain: false }]);
  });

  it.each([
    ["a control character", Buffer.from('{"a":"\n"}')],
    ["a broken escape", Buffer.from(String.raw`{"a":"\x"}`)],
    ["a broken code unit", Buffer.from(String.raw`{"a":"\u12g4"}`)],
    ["a code unit that ends the body", Buffer.from(String.raw`{"a":"\u12`)],
    ["no end", Buffer.from('{"a":"b}')],
    ["a backslash at the end", Buffer.from('{"a":"\\')],
  ])("with %s is refused", (_, bytes) => {
    expect(refusalOf(bytes)).toEqual({ failure: "json_unreadable", reason: "it is not JSON" });
  });

  it("that is not UTF-8 is refused, at any place", () => {
    const reason = "it is not UTF-8";
    expect(refusalOf(Buffer.from('{"a":"é"}', "latin1"))).toMatchObject({ reason });
    expect(refusalOf(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ reason });
    expect(refusalOf(Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d]))).toMatchObject({ reason });
  });
});

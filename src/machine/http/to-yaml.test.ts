import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Json } from "#contract/json";
import { toYaml } from "./to-yaml.ts";

const linesOf = (value: Json, named?: Readonly<Record<string, string>>): readonly string[] =>
  toYaml(value, named).trimEnd().split("\n");

/** JSON as a specification has it: YAML 1.1 has no form for -0. */
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("yes", "2026-11-21", "12:30:00", "a: b", "# a", "*", "&a", "", "- a", "null", "a, b]"),
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value")),
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      tie("value"),
      { noNullPrototype: true },
    ),
  ),
})).value;

describe("the YAML of a specification", () => {
  it("has the content of the document", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(parse(toYaml({ value }))).toEqual({ value });
      }),
    );
  });

  it("is read the same by a reader of YAML 1.1", () => {
    const value = { words: ["yes", "no", "on", "2026-11-21 09:30:00+00:00", "12:30:00"], yes: { no: null } };
    expect(parse(toYaml(value), { version: "1.1" })).toEqual(value);
  });

  it("has a line for a collection that fits in it, and a line for each part of any other", () => {
    const schema = { type: "string", maxLength: 10, examples: ["one"] };
    expect(linesOf({ name: schema, long: { ...schema, description: "word ".repeat(20).trim() } })).toEqual([
      "name: {type: string, maxLength: 10, examples: [one]}",
      "long:",
      "  type: string",
      "  maxLength: 10",
      "  examples: [one]",
      `  description: ${"word ".repeat(20).trim()}`,
    ]);
  });

  it("fills a line to its 110th column and no further", () => {
    const inLine = { list: ["a".repeat(50), "b".repeat(50)] };
    expect(linesOf(inLine)[0]).toHaveLength(110);
    expect(linesOf({ list: ["a".repeat(50), "b".repeat(51)] })).toEqual([
      "list:",
      `- ${"a".repeat(50)}`,
      `- ${"b".repeat(51)}`,
    ]);
  });

  it("has a named text once, and an alias in its other places", () => {
    const image = "A".repeat(200);
    const value = { first: { image, other: "B" }, second: [image, { image }] };
    const lines = linesOf(value, { portrait: image, unused: "C" });
    expect(lines).toEqual([
      "first:",
      `  image: &portrait ${image}`,
      "  other: B",
      "second: [*portrait, {image: *portrait}]",
    ]);
    expect(parse(lines.join("\n"))).toEqual(value);
  });

  it("has JSON in a text unbroken", () => {
    const text = JSON.stringify({ story: 'he said "yes" '.repeat(20) });
    expect(linesOf({ text })).toEqual(["text: |-", `  ${text}`]);
  });
});

import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { knownFields } from "./known-fields.ts";

const inherited = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "isPrototypeOf"];

describe("the known fields of a body", () => {
  const schema = Type.Object({ name: Type.String(), inner: Type.Object({ count: Type.Number() }) });

  it("are those of the schema, at every depth, whatever their values are", () => {
    const body = { name: 7, other: 1, inner: { count: "x", other: 2 } };
    expect(knownFields(schema, body)).toEqual({ name: 7, inner: { count: "x" } });
    expect(knownFields(schema, { inner: [1] })).toEqual({ inner: [1] });
    for (const value of ["text", 3, null, [1, 2]]) expect(knownFields(schema, value)).toEqual(value);
    expect(knownFields(Type.Array(Type.String()), ["a"])).toEqual(["a"]);
  });

  it.each(inherited)("never are inherited ones: %s is absent unless the body has it", (name) => {
    const fields = Object.fromEntries([[name, Type.Unknown()]]);
    const known = knownFields(Type.Object(fields), {});
    expect(Object.getOwnPropertyNames(known)).toEqual([]);
  });

  it("leave the prototype of a body behind", () => {
    const body: unknown = JSON.parse('{"name":"a","__proto__":{"inner":{"count":1}},"constructor":1}');
    expect(knownFields(schema, body)).toEqual({ name: "a" });
  });
});

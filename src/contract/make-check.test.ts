import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { makeCheck } from "./make-check.ts";

const person = makeCheck(Type.Object({ name: Type.String(), age: Type.Optional(Type.Integer()) }));

describe("a check", () => {
  it("accepts values of its schema and refuses others, at each call", () => {
    expect(
      [{ name: "A" }, { name: 1 }, { name: "A", age: 1.5 }, { name: "B", age: 2 }].map(person.Check),
    ).toEqual([true, false, false, true]);
  });

  it("names the faults of a value", () => {
    expect(person.Errors({ name: 1 }).map(({ instancePath }) => instancePath)).toEqual(["/name"]);
    expect(person.Errors({ name: "A" })).toEqual([]);
  });

  it("returns a value of the schema, and throws for another", () => {
    expect(person.Parse({ name: "A" })).toEqual({ name: "A" });
    expect(() => person.Parse({})).toThrow();
  });
});

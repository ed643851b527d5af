import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { expect, it } from "vitest";
import { shapeFaults } from "./shape-fault.ts";

const shape = Compile(
  Type.Object(
    {
      size: Type.Enum(["small", "large"]),
      parts: Type.Optional(
        Type.Array(Type.Object({ n: Type.Integer({ minimum: 1 }) }, { additionalProperties: false })),
      ),
    },
    { additionalProperties: false },
  ),
);

it.each([
  [{ size: "middle" }, ["/size: must be one of small, large"]],
  [{ size: "small", colour: 1 }, ["/colour: there is no such entry"]],
  [
    { size: "small", parts: [{ n: 0, m: 1 }] },
    ["/parts/0/m: there is no such entry", "/parts/0/n: must be >= 1"],
  ],
  [{}, ["/: must have required properties size"]],
  [{ size: "small" }, []],
] as const)("reports each place of %j once, with the accepted values", (value, faults) => {
  expect(shapeFaults(shape.Errors(value)).toSorted()).toEqual(faults);
});

it("states the one accepted value, and lists up to forty of them", () => {
  const faultOf = (schema: Parameters<typeof Type.Object>[0][string], value: unknown) =>
    shapeFaults(Compile(Type.Object({ value: schema })).Errors({ value }));
  const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
  expect(faultOf(Type.Literal("one"), "two")).toEqual(["/value: must be one"]);
  expect(faultOf(Type.Enum(names(40)), "other")).toEqual([`/value: must be one of ${names(40).join(", ")}`]);
  expect(faultOf(Type.Enum(names(41)), "other").join()).not.toContain("n39");
});

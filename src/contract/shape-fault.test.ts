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
] as const)("says of %j each place once, with what may stand there", (value, faults) => {
  expect(shapeFaults(shape.Errors(value)).toSorted()).toEqual(faults);
});

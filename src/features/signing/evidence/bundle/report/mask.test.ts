import { expect, it } from "vitest";
import { maskName } from "./mask.ts";

it.each([
  ["", "•••"],
  ["ana", "•••"],
  ["1234567", "•••"],
  ["12345678", "1•••8"],
  ["ñandú-cliente-7é", "ñ•••é"],
])("shows of the name %j only %j", (name, masked) => {
  expect(maskName(name)).toBe(masked);
});

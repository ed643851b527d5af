import { expect, it } from "vitest";
import { readCanonicalNumber } from "#app/local-registry";
import { isOfAnother } from "./answered-number.ts";

const readNumber = readCanonicalNumber("ECU");
const about = (documentNumber?: string) =>
  isOfAnother(
    { kind: "person", person: { fields: { ...(documentNumber !== undefined && { documentNumber }) } } },
    "1710034065",
    readNumber,
  );

it("an answer of another number is told from one of the number that was asked, in any form, and from one without", () => {
  expect([about("0912345675"), about("sin número")]).toEqual([true, true]);
  expect([about("1710034065"), about("171003406-5"), about(" "), about()]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect(isOfAnother({ kind: "unknown" }, "1710034065", readNumber)).toBe(false);
});

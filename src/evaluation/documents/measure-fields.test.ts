import { describe, expect, it } from "vitest";
import { summariseFields } from "./measure-fields.ts";

const one = (field: string, value: string, lines: readonly string[]) =>
  summariseFields([{ expected: [{ field, value }], lines }]);

describe("summariseFields", () => {
  it.each([
    ["birth_date", "22.06.1960", ["22.O6.196O"]],
    ["birth_date", "1960-06-22", ["22 JUN 1960"]],
    ["id_number", "600622/8734", ["6OO622/8734"]],
    ["number", "PP135768", ["Číslo", "PPI35768"]],
    ["gender", "F", ["F"]],
    ["nationality", "SVK", ["5VK"]],
    ["surname", "Marisa", ["MariSa"]],
    ["issue_place", "Svidník", ["SVidník"]],
  ])("counts %s %s as read from %j", (field, value, lines) => {
    expect(one(field, value, lines)).toMatchObject({ n: 1, exact: 1, characterAccuracy: 1 });
  });

  it.each([
    ["birth_date", "22.06.1960", ["22.06.1961"]],
    ["id_number", "600622/8734", ["600622/873"]],
    ["surname", "Novák", ["Novak"]],
    ["surname", "Novák", []],
    ["surname", "Ana", ["Meno Ana"]],
  ])("does not count %s %s as read from %j", (field, value, lines) => {
    expect(one(field, value, lines)).toMatchObject({ n: 1, exact: 0 });
  });

  it("counts character errors against the nearest line, at most the field's length", () => {
    expect(one("surname", "Novák", ["Novak", "Horváth"]).characterAccuracy).toBeCloseTo(4 / 5);
    expect(one("surname", "Novák", ["SLOVENSKÁ REPUBLIKA"]).characterAccuracy).toBeCloseTo(0);
    expect(one("surname", "Novák", []).characterAccuracy).toBe(0);
  });

  it("returns null, not zero, without transcriptions", () => {
    expect(summariseFields([])).toMatchObject({ n: 0, exact: 0, characterAccuracy: null, byKind: {} });
  });
});

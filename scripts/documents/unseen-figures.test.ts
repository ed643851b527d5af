import { describe, expect, it } from "vitest";
import { unseenFaults } from "./unseen-figures.ts";

const page = "docs/measurements/faces.md";

const table = (...lines: readonly string[]): string => ["# Faces", "", ...lines, "", "text"].join("\n");

describe("a table of measurements", () => {
  it("states the figure of an unseen set beside each percentage", () => {
    const text = table("| claim | result | unseen |", "|---|---|---|", "| one | 5 % | not measured |");
    expect(unseenFaults(page, text)).toEqual([]);
  });

  it("is refused without the column, and without an entry in it", () => {
    expect(unseenFaults(page, table("| claim | result |", "|---|---|", "| one | 5 % |"))).toEqual([
      `${page}:3 a table has percentages and no column 'unseen'`,
    ]);
    const empty = table("| claim | result | unseen |", "|---|---|---|", "| one | 5 % | |");
    expect(unseenFaults(page, empty)).toEqual([
      `${page}:3 a table has a row without an entry in the column 'unseen'`,
    ]);
  });

  it("needs no such column without a percentage, and on a page about time", () => {
    expect(unseenFaults(page, table("| command | text |", "|---|---|", "| F | measure |"))).toEqual([]);
    const times = table("| work | p95 |", "|---|---|", "| one | 5 % |");
    expect(unseenFaults("docs/measurements/speed.md", times)).toEqual([]);
  });
});

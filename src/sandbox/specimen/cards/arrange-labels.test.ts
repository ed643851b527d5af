import { describe, expect, it } from "vitest";
import { personAt } from "../../persons/persons.ts";
import { sandboxCountries } from "../../persons/sandbox-person.ts";
import { arrangeLabels } from "./arrange-labels.ts";
import type { CardLayout } from "./card-layout.ts";
import { layoutOf } from "./cards.ts";

const wordsOf = ({ front, back = [] }: CardLayout): string =>
  [...front, ...back]
    .flatMap(({ text }) => text.split(" "))
    .toSorted()
    .join(" ");

const textsAt = ({ front }: CardLayout, text: string) => front.find((one) => one.text === text)!.box;

describe("a card with its labels in one arrangement", () => {
  it.each(sandboxCountries)("states the same as the card of %s", (country) => {
    const layout = layoutOf(country, personAt(country, 7));
    expect(wordsOf(arrangeLabels(layout, "right"))).toBe(wordsOf(layout));
    expect(wordsOf(arrangeLabels(layout, "under"))).toBe(wordsOf(layout));
  });

  it.each(sandboxCountries)("of %s keeps every text within the side", (country) => {
    for (const arrangement of ["right", "under"] as const) {
      const { front, back = [] } = arrangeLabels(layoutOf(country, personAt(country, 7)), arrangement);
      for (const { box } of [...front, ...back]) expect(box.y + box.height).toBeLessThanOrEqual(1);
    }
  });

  it("has values right of their labels, or under them", () => {
    const layout = layoutOf("CRI", { ...personAt("CRI", 7), givenNames: ["ANA", "MARÍA"] });
    const right = arrangeLabels(layout, "right");
    expect(textsAt(right, "ANA MARÍA").y).toBe(textsAt(right, "Nombre:").y);
    const under = arrangeLabels(layout, "under");
    expect(textsAt(under, "ANA MARÍA").x).toBe(textsAt(under, "Nombre:").x);
    expect(textsAt(under, "ANA MARÍA").y).toBeGreaterThan(textsAt(under, "Nombre:").y);
  });
});

import { expect, it } from "vitest";
import { type CrossedCountry, crossedCountries } from "#support/document/crossed-cards";
import { type CrossedCard, crossedNameOf } from "#support/document/crossed-readings";
import { photographTwoCards } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import { decideDocument } from "../decide.ts";

/** Four sides are drawn, photographed and read with all networks in one thread, beside other tests. */
const timeoutMs = 240_000;

const { imaging, readDocument } = await openReader();
const measured = openReadings(import.meta.url);

const decide = async (country: CrossedCountry, front: CrossedCard, back: CrossedCard) => {
  const reading = await measured(crossedNameOf(country, front, back), async () => {
    const cards = await photographTwoCards(imaging, country);
    // Without traces of attacks: the background of a drawn card may look like a screen's pattern.
    return readDocument({ front: cards[front].front, back: cards[back].back }, { type: "ID_CARD" });
  });
  const { fields, declared, now, policy } = caseOf(reading, { country, type: "ID_CARD" });
  return decideDocument({ reading, fields }, declared, now, policy);
};

it.each(["PRT", "HND"] as const)(
  "the photographed card of a person of %s is approved, and its front with another person's back is not",
  async (country) => {
    const decided = async (back: CrossedCard) => {
      const { decision } = await decide(country, 0, back);
      return [decision.code, decision.reasonCode];
    };
    expect(await decided(0)).toEqual([9001, null]);
    expect(await decided(1)).toEqual([9121, 507]);
  },
  timeoutMs,
);

/** `crossed-sides.test.ts` crosses what is read here. */
it.each(crossedCountries)(
  "the photographed cards of two persons of %s are tied each with itself",
  async (country) => {
    for (const card of [0, 1] as const) {
      const { findings } = await decide(country, card, card);
      const untied = findings.find(({ name }) => name === "sides-untied");
      expect(untied?.evidence["tie"]).not.toBe("none");
    }
  },
  timeoutMs,
);

import { expect, it } from "vitest";
import { photographTwoCards } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import { decideDocument } from "../decide.ts";

/** Four sides are drawn, photographed and read with all networks in one thread, beside other tests. */
const timeoutMs = 240_000;

const { imaging, readDocument } = await openReader();
const measured = openReadings(import.meta.url);

it.each(["PRT", "HND"] as const)(
  "the photographed card of a person of %s is approved, and its front with another person's back is not",
  async (country) => {
    const decide = async (backOf: 0 | 1) => {
      const reading = await measured(`${country}, back of ${backOf}`, async () => {
        const cards = await photographTwoCards(imaging, country);
        // Without traces of attacks: the background of a drawn card may look like a screen's pattern.
        return readDocument({ front: cards[0].front, back: cards[backOf].back }, { type: "ID_CARD" });
      });
      const { fields, declared, now, policy } = caseOf(reading, { country, type: "ID_CARD" });
      const { decision } = decideDocument({ reading, fields }, declared, now, policy);
      return [decision.code, decision.reasonCode];
    };
    expect(await decide(0)).toEqual([9001, null]);
    expect(await decide(1)).toEqual([9121, 507]);
  },
  timeoutMs,
);

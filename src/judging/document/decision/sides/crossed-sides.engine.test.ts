import { expect, it } from "vitest";
import { photographTwoCards } from "#support/document/photograph-crossed";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { decideDocument } from "../decide.ts";

/** Four sides are drawn, photographed and read with all networks in one thread, beside other tests. */
const timeoutMs = 240_000;

const { imaging, readDocument } = await openReader();

it.each(["PRT", "HND"] as const)(
  "the photographed card of a person of %s is approved, and its front with another person's back is not",
  async (country) => {
    const [one, other] = await photographTwoCards(imaging, country);
    const decide = async (front: Uint8Array, back: Uint8Array) => {
      // Without traces of attacks: the background of a drawn card may look like a screen's pattern.
      const reading = await readDocument({ front, back }, { type: "ID_CARD" });
      const { fields, declared, now, policy } = caseOf(reading, { country, type: "ID_CARD" });
      const { decision } = decideDocument({ reading, fields }, declared, now, policy);
      return [decision.code, decision.reasonCode];
    };
    expect(await decide(one!.front, one!.back)).toEqual([9001, null]);
    expect(await decide(one!.front, other!.back)).toEqual([9121, 507]);
  },
  timeoutMs,
);

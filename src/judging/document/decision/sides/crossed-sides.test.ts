import { describe, expect, it } from "vitest";
import type { CardLayout } from "#sandbox/specimen/cards/card-layout";
import { crossedCountries, twoCards } from "#support/document/crossed-cards";
import { cross, readTwoCards } from "#support/document/crossed-readings";
import { cardReading, type DrawnCard } from "#support/document/national-cards";
import { caseOf } from "#support/document/reading";
import type { DocumentReading } from "../../reading/reading.ts";
import { decideDocument } from "../decide.ts";
import { diagnose } from "../pad/diagnose.ts";
import { sideChecks } from "./side-checks.ts";

const judge = (reading: DocumentReading, country: string) => {
  const { fields, declared, now, policy } = caseOf(reading, { country, type: "ID_CARD" });
  const decided = decideDocument({ reading, fields }, declared, now, policy);
  return {
    code: decided.decision.code,
    tie: decided.findings.find(({ name }) => name === "sides-untied")?.evidence["tie"],
    diagnosis: diagnose(reading, decided, undefined, policy).decision,
    checks: [...sideChecks(fields).values()],
  };
};

/** What crossed-sides.engine.test.ts reads. */
const recorded = readTwoCards(new URL("crossed-sides.engine.generated.json", import.meta.url));

describe.each(recorded)("two photographed cards of %s", (country, [one, other]) => {
  it("are tied each with itself, and no check of the sides is false", () => {
    for (const card of [one, other]) {
      const { tie, checks } = judge(cross(card, card), country);
      expect(tie).not.toBe("none");
      expect(checks).not.toContain(false);
    }
  });

  it("are neither approved nor credible with their sides crossed", () => {
    for (const reading of [cross(one, other), cross(other, one)]) {
      const { code, tie, diagnosis } = judge(reading, country);
      expect([code === 9001, tie]).toEqual([false, "none"]);
      expect(diagnosis).not.toBe("Credible");
    }
  });
});

/** A layout as a reader without errors reads it. */
const drawn = ({ front, back = [], mrz, barcode }: CardLayout): DrawnCard => {
  const [onFront, onBack] = [front, back].map((texts) =>
    texts.map(({ text, box }) => ({ text, box, confidence: 0.98 })),
  );
  return { front: onFront ?? [], back: onBack ?? [], ...(mrz && { mrz }), ...(barcode && { barcode }) };
};

it.each(crossedCountries)(
  "two cards of %s whose holders were born on one day are approved, and not with their sides crossed",
  (country) => {
    const [one, other] = twoCards(country, "together").map(drawn);
    const decide = (front: DrawnCard, back: DrawnCard) =>
      judge(cardReading({ ...back, front: front.front }), country);
    for (const [a, b] of [
      [one!, other!],
      [other!, one!],
    ] as const) {
      expect(decide(a, a)).toMatchObject({ code: 9001, diagnosis: "Credible" });
      const { code, tie, diagnosis } = decide(a, b);
      expect([code === 9001, tie, diagnosis === "Credible"]).toEqual([false, "none", false]);
    }
  },
);

it("twenty crossed pairs are recorded, and every card is approved with its own sides", () => {
  const cards = recorded.flatMap(([country, two]) => two.map((card) => ({ country, card })));
  const approved = cards.filter(({ country, card }) => judge(cross(card, card), country).code === 9001);
  expect([cards.length, approved.length]).toEqual([20, 20]);
});

import { expect, it } from "vitest";
import { cardReading, costaRica } from "#support/document/national-cards";
import { line } from "#support/document/printed-lines";
import { mergeSources, now } from "#support/document/reading";
import { recordOf, recordShape } from "./verification-record.ts";

const declared = "ID_CARD" as const;
const approved = { code: 9001, status: "Approved", reason: null, reasonCode: null, others: [] } as const;

const recordWith = (card: Parameters<typeof cardReading>[0]) =>
  recordOf(mergeSources(cardReading(card), now), declared, approved, now);

it("keeps the candidates of a field that two texts may be, and has no value for it", () => {
  const { mrz: _, ...card } = costaRica;
  const front = card.front.filter(({ text }) => !text.includes(":"));
  const record = recordWith({
    ...card,
    front: [...front, line(0.36, 0.3, "Nombre"), line(0.48, 0.3, "ANA"), line(0.36, 0.345, "MARÍA")],
  });
  expect(record.person.firstName).toBeNull();
  expect(record.undecided).toEqual([{ name: "firstName", side: "front", candidates: ["MARÍA", "ANA"] }]);
  expect(recordShape.Check(record)).toBe(true);
});

it("names no undecided field where every value is certain", () => {
  expect(recordWith(costaRica)).not.toHaveProperty("undecided");
});

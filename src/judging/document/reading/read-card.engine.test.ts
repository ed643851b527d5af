import { describe, expect, it } from "vitest";
import { makePhotographCard } from "#support/document/card-photographs";
import { chile, type DrawnCard, ecuador, honduras, peru } from "#support/document/national-cards";
import { line } from "#support/document/printed-lines";
import { openReader } from "#support/document/reader";
import { caseOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import { findAll } from "../decision/findings/all-rules.ts";
import type { FieldName } from "../values/field-name.ts";

/** Two sides are drawn, photographed and read with all networks in one thread, beside other tests. */
const timeoutMs = 240_000;

const { imaging, readDocument } = await openReader();
const photographCard = await makePhotographCard(imaging);
const measured = openReadings(import.meta.url);

type Images = Awaited<ReturnType<typeof photographCard>>;

const read = async (name: string, country: string, photograph: () => Promise<Images>) => {
  const reading = await measured(name, async () => readDocument(await photograph(), { type: "ID_CARD" }));
  const document = caseOf(reading, { country, type: "ID_CARD" });
  const holding = findAll(document).filter(({ holds }) => holds === true);
  return { reading, fields: document.fields, holding };
};

/** The card with one printed text changed. */
const altered = (card: DrawnCard, from: string, to: string): DrawnCard => ({
  ...card,
  front: card.front.map((row) => (row.text === from ? line(row.box.x, row.box.y, to) : row)),
});

const person = {
  firstName: "ANA MARÍA",
  lastName: "SOLÍS PRUEBA",
  dateOfBirth: "1990-01-01",
  sex: "F",
} as const;

const cards: readonly (readonly [
  id: string,
  country: string,
  card: DrawnCard,
  expected: { readonly [name in FieldName]?: string },
])[] = [
  [
    "CHL-ID-2024",
    "CHL",
    chile,
    { documentNumber: "A12345678", personalNumber: "123456785", dateOfIssue: "2025-01-02" },
  ],
  ["PER-ID-1997", "PER", peru, { documentNumber: "12345678", dateOfIssue: "2026-06-05" }],
  ["ECU-ID-2021", "ECU", ecuador, { documentNumber: "1710034065", documentCode: "V1234I5678" }],
  ["HND-ID-2021", "HND", honduras, { documentNumber: "0801199012345", serialNumber: "001234567" }],
];

describe("a photographed card", () => {
  it.each(cards)(
    "is identified as %s, and its fields agree with its print and with each other",
    async (id, country, card, own) => {
      const { fields, holding } = await read(id, country, () => photographCard(card, 5));
      const expected = { ...person, ...own };
      const said = Object.entries(fields.values).map(([name, { value }]) => [name, value]);
      expect(fields.model?.id).toBe(id);
      expect(Object.fromEntries(said)).toMatchObject(expected);
      expect(holding.map(({ name }) => name)).toEqual([]);
    },
    timeoutMs,
  );

  it(
    "gives the same result with its sides swapped and upside down",
    async () => {
      const { reading, fields, holding } = await read("swapped and upside down", "ECU", async () => {
        const { front, back } = await photographCard(ecuador, 11, { rotationDegrees: 180 });
        return { front: back, back: front };
      });
      expect([reading.swapped, reading.front.rotations, reading.back?.rotations]).toEqual([true, 2, 2]);
      expect([fields.model?.id, fields.values.documentNumber?.value]).toEqual(["ECU-ID-2021", "1710034065"]);
      expect(fields.values.dateOfExpiry).toMatchObject({ value: "2035-01-01", sources: ["mrz", "print"] });
      expect(holding.map(({ name }) => name)).toEqual([]);
    },
    timeoutMs,
  );

  it.each([
    ["the MRZ", "ECU", ecuador, "01 ENE 1990", "01 ENE 1996", ["print-contradicts-zone"]],
    [
      "the MRZ and the QR code, two against one",
      "CHL",
      chile,
      "01 ENE 2035",
      "01 MAR 2037",
      ["print-contradicts-zone", "print-contradicts-barcode", "source-contradicted-by-two"],
    ],
  ] as const)(
    "with a changed printed date contradicts %s (507)",
    async (_, country, card, from, to, names) => {
      const { holding } = await read(`${country} with ${to}`, country, () =>
        photographCard(altered(card, from, to), 21),
      );
      expect(holding.filter(({ code }) => code === 507).map(({ name }) => name)).toEqual(names);
    },
    timeoutMs,
  );
});

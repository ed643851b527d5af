import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cardReading, chile, type DrawnCard, honduras, peru } from "#support/document/national-cards";
import { caseOf, mrzOf, readingOf, sideOf } from "#support/document/reading";
import type { FieldName } from "../../values/field-name.ts";
import { decideDocument } from "../decide.ts";
import type { DocumentCase } from "../finding.ts";
import { findingNames } from "../finding-names.ts";
import { diagnose } from "../pad/diagnose.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { mergeReadings } from "../sources/merge.ts";
import { findTie } from "./find-tie.ts";
import { sideChecks } from "./side-checks.ts";

/** A card of Portugal (9303-5), which no model describes. */
const lines = [
  "I<PRT1234500674<<<<<<<<<<<<<<<",
  "8503127F3109111PRT<<<<<<<<<<<6",
  "PRUEBA<<ANNA<<<<<<<<<<<<<<<<<<",
] as const;
const portugal = (): DocumentCase => {
  const back = sideOf({ mrz: mrzOf(lines), sha256: "cd".repeat(32), faces: 0 });
  const { portrait: _, ...behind } = back;
  return caseOf(readingOf(sideOf(), behind), { country: "PRT", type: "ID_CARD" });
};
const cardOf = (card: DrawnCard, country: string): DocumentCase =>
  caseOf(cardReading(card), { country, type: "ID_CARD" });

const cases = [
  portugal(),
  cardOf(chile, "CHL"),
  cardOf(peru, "PER"),
  cardOf(honduras, "HND"),
] as const satisfies readonly DocumentCase[];

const values = {
  lastName: ["PRUEBA", "PRUEDA", "SOLÍS PRUEBA", "AJENO LOPES", "P."],
  firstName: ["ANNA", "ANA MARÍA", "ROBERTO", "ANNA R."],
  documentNumber: ["123450067", "123450061", "998877665", "A12345678"],
  personalNumber: ["123456785", "111111111"],
  dateOfBirth: ["1985-03-12", "1985-03-17", "1990-01-01"],
  dateOfExpiry: ["2031-09-11", "2035-01-01"],
  sex: ["F", "M"],
  nationality: ["PRT", "CHL"],
  address: ["CALLE FALSA 123", "AVENIDA SIEMPREVIVA 742"],
} as const satisfies Partial<Record<FieldName, readonly string[]>>;
const names = ["lastName", "firstName", "documentNumber", "personalNumber", "dateOfBirth"] as const;
const more = ["dateOfExpiry", "sex", "nationality", "address"] as const;

const drawnReading: fc.Arbitrary<FieldReading> = fc
  .constantFrom(...names, ...more)
  .chain((name) =>
    fc.record({
      name: fc.constant(name),
      value: fc.constantFrom<string>(...values[name]),
      source: fc.constantFrom("print" as const, "barcode" as const),
      side: fc.constantFrom("front" as const, "back" as const),
      confidence: fc.constantFrom(0.5, 0.89, 0.9, 0.92, 0.95, 0.97, 0.99),
      isConfirmed: fc.boolean(),
      isUnsettled: fc.boolean(),
    }),
  )
  .map(({ isConfirmed, isUnsettled, ...one }) => ({
    ...one,
    raw: one.value,
    ...(isConfirmed && { confirmedBy: "calendar" as const }),
    ...(isUnsettled && { isUnsettled }),
  }));

const everyIgnored: DocumentPolicy["consequences"] = Object.fromEntries(
  findingNames.map((name) => [name, "ignore"] as const),
);

/** The case with these readings beside its own. */
const withReadings = (document: DocumentCase, readings: readonly FieldReading[]): DocumentCase => {
  const own = Object.values(document.fields.values).flatMap((field) => field.readings);
  return { ...document, fields: { ...document.fields, ...mergeReadings([...own, ...readings]) } };
};

const judge = ({ reading, fields, declared, now, policy }: DocumentCase, change: Partial<DocumentPolicy>) => {
  const own = { ...policy, ...change };
  const decided = decideDocument({ reading, fields }, declared, now, own);
  return { decided, diagnosis: diagnose(reading, decided, undefined, own) };
};

describe("the checks of the sides", () => {
  it("never have a false beside an approval or a credible document, under any policy, with a model or without", () => {
    const seen = { contradicted: 0, approved: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(drawnReading, { maxLength: 8 }),
        fc.constantFrom({}, { consequences: everyIgnored }),
        (document, readings, change) => {
          const drawn = withReadings(document, readings);
          const { decided, diagnosis } = judge(drawn, change);
          const isContradicted = [...sideChecks(drawn.fields).values()].includes(false);
          const isApproved = decided.decision.code === 9001;
          seen.contradicted += isContradicted ? 1 : 0;
          seen.approved += isApproved ? 1 : 0;
          expect([isContradicted && isApproved, isContradicted && diagnosis.decision === "Credible"]).toEqual(
            [false, false],
          );
        },
      ),
      { numRuns: 600 },
    );
    // Both sides of the rule were drawn.
    expect(Math.min(seen.contradicted, seen.approved)).toBeGreaterThan(20);
  });

  it("and no document is approved or credible without a tie", () => {
    const seen = { untied: 0, approved: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...cases),
        fc.array(drawnReading, { maxLength: 8 }),
        (document, readings) => {
          const drawn = withReadings(document, readings);
          const { decided, diagnosis } = judge(drawn, {});
          const isUntied = findTie(drawn.fields, drawn.reading).kind === "none";
          const isGood = decided.decision.code === 9001 || diagnosis.decision === "Credible";
          seen.untied += isUntied ? 1 : 0;
          seen.approved += isGood ? 1 : 0;
          expect(isUntied && isGood).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
    expect(Math.min(seen.untied, seen.approved)).toBeGreaterThan(20);
  });

  const checksWith = (...readings: readonly FieldReading[]) =>
    Object.fromEntries(sideChecks(withReadings(portugal(), readings).fields));
  const onFront = (name: FieldName, value: string, change: Partial<FieldReading> = {}): FieldReading => ({
    name,
    value,
    raw: value,
    source: "print",
    side: "front",
    confidence: 0.95,
    ...change,
  });

  it.each([
    ["the same", "PRUEBA", true],
    ["marks and transliteration (9303-3, 6)", "PRÜEBA", true],
    ["another name behind it, for which the MRZ had space", "PRUEBA LÓPEZ", undefined],
    ["another name before it, of which a line may be unread", "SOLÍS PRUEBA", undefined],
    ["an initial", "P.", undefined],
    ["a letter that may be misread", "PRUEDA", undefined],
    ["another name", "AJENO LOPES", false],
  ] as const)("state of a printed surname with %s: %s is %s", (_, printed, expected) => {
    expect(checksWith(onFront("lastName", printed))["lastName"]).toBe(expected);
  });

  it("state nothing of a name that was read with less confidence than a reliable one", () => {
    const other = (confidence: number) =>
      checksWith(onFront("lastName", "AJENO", { confidence }))["lastName"];
    expect([other(0.95), other(0.9499)]).toEqual([false, undefined]);
  });

  it("state no mismatch of names that are divided differently", () => {
    const checks = checksWith(onFront("lastName", "ANNA"), onFront("firstName", "PRUEBA"));
    expect([checks["lastName"], checks["firstName"]]).toEqual([undefined, undefined]);
  });

  it("compare no prose: an address differs in its abbreviations", () => {
    const behind = { source: "barcode", side: "back", confidence: 0.99 } as const;
    const checks = checksWith(
      onFront("address", "CALLE FALSA 123"),
      onFront("address", "AVENIDA SIEMPREVIVA 742", behind),
    );
    expect(checks["address"]).toBeUndefined();
  });
});

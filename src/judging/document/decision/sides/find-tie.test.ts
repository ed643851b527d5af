import { describe, expect, it } from "vitest";
import { line, printed } from "#support/document/printed-lines";
import { caseOf, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { decideDocument } from "../decide.ts";
import type { DocumentPolicy } from "../policy.ts";
import { findTie } from "./find-tie.ts";

/** A card of Portugal (9303-5), which no model describes: 123450067, PRUEBA, ANNA, 12 March 1985. */
const mrz = mrzOf([
  "I<PRT1234500674<<<<<<<<<<<<<<<",
  "8503127F3109111PRT<<<<<<<<<<<6",
  "PRUEBA<<ANNA<<<<<<<<<<<<<<<<<<",
]);
const readingWith = (lines: readonly TextLine[]) => {
  const { portrait: _, ...back } = sideOf({ mrz, sha256: "cd".repeat(32), faces: 0 });
  return readingOf(sideOf({ lines }), back);
};
const texts = (...rows: readonly string[]): readonly TextLine[] =>
  printed(...rows.map((text, i) => [0.3, 0.05 + i * 0.07, text] as const));

const decide = (lines: readonly TextLine[], change: Partial<DocumentPolicy> = {}, attempt = 1) => {
  const reading = readingWith(lines);
  const { fields, declared, now, policy } = caseOf(reading, { country: "PRT", type: "ID_CARD" }, change);
  const { decision, findings } = decideDocument({ reading, fields }, declared, now, policy, {}, attempt);
  return { code: decision.code, reasonCode: decision.reasonCode, others: decision.others, findings };
};
const tieOf = (lines: readonly TextLine[]) => {
  const reading = readingWith(lines);
  return findTie(caseOf(reading).fields, reading);
};

const labelled = (surname: string, given: string, birth: string): readonly TextLine[] =>
  texts(
    "CARTAO DE CIDADAO",
    "APELIDO(S) / SURNAME",
    surname,
    "NOME(S) / GIVEN NAME",
    given,
    "DATA DE NASCIMENTO / DATE OF BIRTH",
    birth,
  );

describe("front and back of a card without a model", () => {
  it.each([
    ["names and birth at their labels", labelled("PRUEBA", "ANNA", "12 03 1985"), "name-and-birth", "values"],
    ["number and birth without a label", texts("EESTI", "123 450 067", "12.03.1985"), "number", "text"],
    ["number and names without a label", texts("123450067", "PRUEBA", "ANNA"), "number", "text"],
    ["the number with its check digit", texts("123450067 4", "12.03.1985"), "number", "text"],
    ["the number with look-alikes", texts("EESTI", "I2345OO67", "12.03.1985"), "number", "text"],
    ["names behind a label and a colon", texts("NIMI: PRUEBA ANNA", "12.03.1985"), "name-and-birth", "text"],
    [
      "names and birth without a label",
      texts("EESTI", "PRUEBA", "ANNA", "12.03.1985"),
      "name-and-birth",
      "text",
    ],
    [
      "a birth date with two digits of the year",
      texts("PRUEBA", "ANNA", "12.03.85"),
      "name-and-birth",
      "text",
    ],
    ...["1985.03.12.", "1985. 03. 12.", "1985/03/12", "1985 03 12", "1985-03-12", "85.03.12"].map(
      (birth) =>
        [`the year first, ${birth}`, texts("PRUEBA", "ANNA", birth), "name-and-birth", "text"] as const,
    ),
  ] as const)("are tied by %s, and approved", (_, lines, kind, by) => {
    expect(tieOf(lines)).toMatchObject({ kind, by });
    expect(decide(lines)).toMatchObject({ code: 9001, reasonCode: null });
  });

  it.each([
    ["the names alone", texts("EESTI", "VABARIIK", "PRUEBA", "ANNA", "SUGU", "F")],
    ["the birth date alone", texts("EESTI", "VABARIIK", "SUGU", "F", "EESNIMED", "12.03.1985")],
    ["the names of a twin", texts("EESTI", "VABARIIK", "PRUEBA", "MARTA", "SUGU", "12.03.1985")],
    ["the number alone", texts("EESTI", "VABARIIK", "SUGU", "F", "NR", "123450067")],
    ["a surname with the number", texts("EESTI", "VABARIIK", "PRUEBA", "MARTA", "SUGU", "123450067")],
    ["a longer number", texts("EESTI", "VABARIIK", "SUGU", "F", "20-123450067-8", "12.03.1985")],
    ["a number with two digits behind", texts("EESTI", "VABARIIK", "SUGU", "F", "12345006712", "12.03.1985")],
    ["a part of the number", texts("EESTI", "VABARIIK", "12.03.1985", "F", "NR", "12345")],
    [
      "the names of a sibling with another name behind",
      texts("EESTI", "V", "PRUEBA", "ANNA LEA", "F", "12.03.1985"),
    ],
    [
      "the names of a sibling with another name before",
      texts("EESTI", "V", "PRUEBA", "LEA ANNA", "F", "12.03.1985"),
    ],
    ["another person's data", texts("EESTI", "VABARIIK", "AJENO", "ROBERTO", "NR 998877665", "01.02.1970")],
  ] as const)("are not tied by %s: a person looks, and no code accuses (540)", (_, lines) => {
    expect(tieOf(lines)).toMatchObject({ kind: "none" });
    expect(decide(lines)).toMatchObject({ code: 9121, reasonCode: 540, others: [] });
  });

  it("that name two persons go to review as a contradiction (507), and no policy ignores it", () => {
    const lines = labelled("AJENO LOPES", "ROBERTO", "12 03 1985");
    expect(decide(lines)).toMatchObject({ code: 9121, reasonCode: 507 });
    const consequences = { "print-contradicts-zone": "ignore", "sides-untied": "ignore" } as const;
    expect(decide(lines, { consequences })).toMatchObject({ code: 9121, reasonCode: 507 });
  });

  it("ask for a better image of a front without data (619), and end in a review", () => {
    const heading = texts("IDENTITY CARD");
    expect(decide(heading)).toMatchObject({ code: 9103, reasonCode: 619 });
    expect(decide([])).toMatchObject({ code: 9103, reasonCode: 619 });
    expect(decide(heading, {}, 10)).toMatchObject({ code: 9121, reasonCode: 540 });
    // Both sides of the number of lines from which on a front shows data.
    const rows = ["EESTI", "VABARIIK", "ISIKUTUNNISTUS", "SUGU", "KEHTIV", "KUNI"] as const;
    expect(decide(texts(...rows.slice(0, 5)))).toMatchObject({ code: 9103, reasonCode: 619 });
    expect(decide(texts(...rows))).toMatchObject({ code: 9121, reasonCode: 540 });
  });

  it("are approved without a tie only where the operator's policy says so", () => {
    const consequences = { "front-unread": "ignore", "sides-untied": "ignore" } as const;
    expect(decide(texts("IDENTITY CARD"), { consequences }).code).toBe(9001);
    expect(decide(texts("IDENTITY CARD"), { consequences: { "front-unread": "ignore" } }).code).toBe(9121);
  });

  it("state the tie, its strength and its fields in the finding, and no value", () => {
    const { findings } = decide(labelled("PRUEBA", "ANNA", "12 03 1985"));
    expect(findings.find(({ name }) => name === "sides-untied")).toMatchObject({
      holds: false,
      evidence: {
        tie: "name-and-birth",
        strength: "strong",
        by: "values",
        fields: "lastName firstName dateOfBirth",
      },
    });
  });
});

describe("an MRZ on the portrait's side", () => {
  const passport = (lines: readonly TextLine[], rows: readonly string[] = passportLines) => {
    const reading = readingOf(sideOf({ mrz: mrzOf(rows), lines }));
    const { fields, declared, now, policy } = caseOf(reading);
    const { decision } = decideDocument({ reading, fields }, declared, now, policy);
    return [findTie(fields, reading).kind, decision.code];
  };

  it("is tied as a page where its print could not be read, and by its print where that agrees", () => {
    expect(passport([])).toEqual(["page", 9001]);
    const page = texts("PASAPORTE", "Pasaporte N° / Passport No", "F12345678");
    expect(passport(page)).toEqual(["page", 9001]);
    expect(passport([...page, line(0.3, 0.5, "01 ENE 1990")])).toEqual(["number", 9001]);
  });

  it("is tied by no place where six lines were read and none has a datum of it", () => {
    const others = ["EESTI", "VABARIIK", "AJENO", "ROBERTO", "01.02.1970"] as const;
    expect(passport(texts(...others))).toEqual(["page", 9001]);
    expect(passport(texts(...others, "SUGU"))).toEqual(["none", 9121]);
    expect(passport(texts(...others, "F12345678"))).toEqual(["page", 9001]);
    expect(passport(texts(...others, "01.01.1990"))).toEqual(["page", 9001]);
  });

  it("of a card's back is tied by no place: a photograph may show two cards", () => {
    const reading = readingOf(sideOf({ mrz, lines: texts("AJENO", "ROBERTO") }));
    expect(findTie(caseOf(reading).fields, reading).kind).toBe("none");
  });

  it("of a card's back on the image of the front is tied by print apart from it, and contradicted by another name", () => {
    // Two cards, one above the other: each has half of the image.
    const rows = mrz.lines.map((row, i) => line(0.05, 0.8 + i * 0.05, row));
    const judge = (lines: readonly TextLine[]) => {
      const front = lines.map(({ box, ...one }) => ({ ...one, box: { ...box, y: box.y / 2 } }));
      const reading = readingOf(sideOf({ mrz, lines: [...front, ...rows] }));
      const { fields, declared, now, policy } = caseOf(reading, { country: "PRT", type: "ID_CARD" });
      const { decision } = decideDocument({ reading, fields }, declared, now, policy);
      return [findTie(fields, reading).kind, decision.code, decision.reasonCode];
    };
    expect(judge(labelled("PRUEBA", "ANNA", "12 03 1985"))).toEqual(["name-and-birth", 9001, null]);
    expect(judge(texts("EESTI", "NR 123450067", "12.03.1985"))).toEqual(["number", 9001, null]);
    expect(judge(texts("EESTI", "NR 123450067"))).toEqual(["none", 9121, 540]);
    expect(judge(labelled("AJENO LOPES", "ROBERTO", "12 03 1985"))).toEqual(["none", 9121, 507]);
    expect(judge(texts("AJENO", "ROBERTO"))).toEqual(["none", 9121, 540]);
  });

  it("is not taken for print, whole or in parts", () => {
    const parts = ["1234500674", "I PRT1234500674", "PRUEBA ANNA", "12 03 85"] as const;
    const lines = [
      ...printed([0.1, 0.1, "EESTI"]),
      ...[...mrz.lines, ...parts].map((text, i) => line(0.05, 0.6 + i * 0.04, text)),
    ];
    const reading = readingOf(sideOf({ mrz, lines }));
    expect(findTie(caseOf(reading).fields, reading).kind).toBe("none");
  });
});

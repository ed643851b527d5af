import { describe, expect, it } from "vitest";
import {
  cardReading,
  chile,
  type DrawnCard,
  ecuador,
  honduras,
  panama,
  peru,
} from "#support/document/national-cards";
import { line } from "#support/document/printed-lines";
import { caseOf } from "#support/document/reading";
import type { FindingName } from "../finding-names.ts";
import { sourcesAgreeRule } from "./sources-agree.ts";

const printed = (card: DrawnCard, from: string, to: string): DrawnCard => ({
  ...card,
  front: card.front.map((row) => (row.text === from ? line(row.box.x, row.box.y, to) : row)),
});

const findingOf = (card: DrawnCard, country: string, name: FindingName) =>
  sourcesAgreeRule(caseOf(cardReading(card), { country, type: "ID_CARD" })).find((one) => one.name === name);

const otherBirth = printed(chile, "01 ENE 1990", "07 JUL 1987");

describe("a contradiction of two sources", () => {
  it("names the fields, and whether they stand on two sides", () => {
    // The birth date of Chile is printed on the front, its MRZ and barcode are on the back.
    expect(findingOf(otherBirth, "CHL", "print-contradicts-zone")).toMatchObject({
      holds: true,
      evidence: { fields: "dateOfBirth", isAcrossSides: true },
    });
    expect(findingOf(chile, "CHL", "print-contradicts-zone")).toMatchObject({
      holds: false,
      evidence: { fields: "", isAcrossSides: false },
    });
  });

  it("is no mere hint where a certain model states the check exactly; by a fact of one library it is", () => {
    expect(findingOf(otherBirth, "CHL", "print-contradicts-zone")).not.toHaveProperty("isHint");
    const ofEcuador = printed(ecuador, "01 ENE 1990", "07 JUL 1987");
    expect(findingOf(ofEcuador, "ECU", "print-contradicts-zone")).toMatchObject({
      holds: true,
      isHint: true,
    });
  });

  it("is unknown where one of the two was not read", () => {
    const { barcode: _, ...withoutBarcode } = chile;
    expect(findingOf(withoutBarcode, "CHL", "barcode-contradicts-zone")?.holds).toBe("unknown");
    expect(findingOf(chile, "CHL", "barcode-contradicts-zone")?.holds).toBe(false);
    expect(findingOf(panama, "PAN", "print-contradicts-zone")?.holds).toBe("unknown");
  });
});

describe("a source that two others contradict", () => {
  it("is found where three sources were read, and unknown where two were", () => {
    const name = "source-contradicted-by-two";
    expect(findingOf(otherBirth, "CHL", name)).toMatchObject({
      holds: true,
      evidence: { isAcrossSides: true },
    });
    expect(findingOf(chile, "CHL", name)).toMatchObject({ holds: false, evidence: { isAcrossSides: false } });
    const { barcode: _, ...withoutBarcode } = otherBirth;
    expect(findingOf(withoutBarcode, "CHL", name)?.holds).toBe("unknown");
    expect(findingOf(printed(honduras, "01-01-1990", "07-07-1987"), "HND", name)?.holds).toBe("unknown");
  });

  it("never rests on a fact that is confirmed by one library alone", () => {
    const born = printed(peru, "01 01 1990 150101", "07 07 1987 150101");
    expect(findingOf(born, "PER", "source-contradicted-by-two")?.holds).not.toBe(true);
  });
});

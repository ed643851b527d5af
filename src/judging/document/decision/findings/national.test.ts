import { describe, expect, it } from "vitest";
import {
  argentina,
  cardReading,
  chile,
  type DrawnCard,
  ecuador,
  guatemala,
  honduras,
  panama,
  peru,
} from "#support/document/national-cards";
import { line, printed } from "#support/document/printed-lines";
import { caseOf } from "#support/document/reading";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { fieldReadingsOf } from "../fields.ts";
import type { DeclaredType } from "../finding.ts";
import { judgeDocument } from "../judge.ts";
import { sideChecks } from "../sides/side-checks.ts";
import { mergeReadings } from "../sources/merge.ts";
import { findAll } from "./all-rules.ts";

const judge = (card: DrawnCard, country: string, type: DeclaredType = "ID_CARD") => {
  const document = caseOf(cardReading(card), { country, type });
  const findings = findAll(document);
  const { code, reasonCode, others } = judgeDocument(findings, document.policy);
  return {
    code,
    reasonCode,
    others,
    holding: findings.filter(({ holds }) => holds === true).map(({ name }) => name),
    findings,
  };
};

/** The lines with one of them changed or removed. */
const changed = (lines: readonly TextLine[], from: string, to?: string): readonly TextLine[] =>
  lines.flatMap((row) =>
    row.text !== from ? [row] : to === undefined ? [] : [line(row.box.x, row.box.y, to)],
  );

describe("a national card", () => {
  it.each([
    ["CHL", chile],
    ["ARG", argentina],
    ["PER", peru],
    ["HND", honduras],
    ["ECU", ecuador],
  ] as const)("of %s is approved by its model, its MRZ and its print", (country, card) => {
    const { code, holding } = judge(card, country);
    expect([code, holding]).toEqual([9001, []]);
  });

  it("without an MRZ is identified by its model, and is no unknown document (647)", () => {
    expect(judge(panama, "PAN")).toMatchObject({ code: 9001, reasonCode: null, holding: [] });
    expect(judge({ front: printed([0.1, 0.1, "CLUB CARD"]) }, "PAN")).toMatchObject({
      code: 9121,
      reasonCode: 647,
    });
  });

  it("without an MRZ goes to review where only print has its number (540)", () => {
    expect(judge(panama, "PAN").holding).not.toContain("number-unconfirmed");
    const { barcode: _, ...covered } = panama;
    expect(judge(covered, "PAN")).toMatchObject({ code: 9121, reasonCode: 540 });
  });

  it("is resubmitted for its MRZ (645) where its model certainly has one", () => {
    const { mrz: _, barcode: __, ...covered } = chile;
    expect(judge(covered, "CHL")).toMatchObject({ code: 9103, reasonCode: 645 });
  });

  it("whose values are covered while its labels are visible is resubmitted (619)", () => {
    const { barcode: _, ...card } = panama;
    const front = card.front
      .filter(({ text }) => !text.startsWith("Ana") && !text.startsWith("Pérez"))
      .map((row) => line(row.box.x, row.box.y, row.text.replace(/(?<=(?:NACIMIENTO|SEXO|EXPIRA):).*/, "")));
    expect(judge({ ...card, front }, "PAN")).toMatchObject({ code: 9103, reasonCode: 619 });
    const nameless = panama.front.filter(({ text }) => !text.startsWith("NOMBRE"));
    expect(judge({ ...panama, front: nameless }, "PAN").reasonCode).not.toBe(619);
  });

  it("of another country than declared is resubmitted (602)", () => {
    expect(judge(panama, "CRI")).toMatchObject({ code: 9103, reasonCode: 602 });
  });

  it.each([
    ["CHL", chile],
    ["PER", peru],
    ["ECU", ecuador],
  ] as const)("of %s that is declared as another kind is resubmitted (602)", (country, card) => {
    for (const type of ["RESIDENCE_PERMIT", "DRIVING_LICENSE"] as const) {
      expect(judge(card, country, type)).toMatchObject({ code: 9103, reasonCode: 602 });
    }
  });

  it("that is declared as a passport of another country is resubmitted for that (602), not for its MRZ", () => {
    const { mrz: _, barcode: __, ...unread } = chile;
    expect(judge(unread, "USA", "PASSPORT")).toMatchObject({ code: 9103, reasonCode: 602 });
    expect(judge(chile, "USA", "PASSPORT")).toMatchObject({ code: 9103, reasonCode: 602 });
  });

  it("whose sides are of two countries is resubmitted (642)", () => {
    const { mrz, back, barcode } = peru;
    const mixed = {
      front: chile.front,
      ...(mrz && { mrz }),
      ...(back && { back }),
      ...(barcode && { barcode }),
    };
    expect(judge(mixed, "CHL")).toMatchObject({ code: 9103, reasonCode: 642 });
  });

  it("that prints SPECIMEN goes to review (508); a street of that name does not", () => {
    const front = [...chile.front, line(0.4, 0.55, "ESPÉCIMEN")];
    expect(judge({ ...chile, front }, "CHL")).toMatchObject({ code: 9121, reasonCode: 508 });
    const back = [...(peru.back ?? []), line(0.05, 0.4, "CALLE MODELO 7")];
    expect(judge({ ...peru, back }, "PER").code).toBe(9001);
  });

  it.each(["MODELO", "SAMPLE"])(
    "of a holder who is called %s is approved; that word beside the name is not",
    (name) => {
      const mrz = chile.mrz!.map((text) =>
        text.replace("SOLIS<PRUEBA<<ANA<MARIA<<<<<<<", `${name}<PRUEBA<<ANA<MARIA<<<<<<`),
      );
      const { barcode: _, ...card } = { ...chile, mrz };
      const named = { ...card, front: changed(card.front, "SOLÍS", name) };
      expect(judge(named, "CHL").code).toBe(9001);
      const across = { ...chile, front: [...chile.front, line(0.4, 0.55, name)] };
      expect(judge(across, "CHL")).toMatchObject({ code: 9121, reasonCode: 508 });
    },
  );

  it.each([
    [626, "PAN", changed(panama.front, "Ana María")],
    [632, "CHL", changed(chile.front, "RUN 12.345.678-5")],
    [644, "PAN", changed(panama.front, "8-123-456")],
  ] as const)("asks for a printed field that was not read (%i)", (reasonCode, country, front) => {
    const result = judge({ front }, country);
    expect(result.code).toBe(9103);
    expect([result.reasonCode, ...result.others]).toContain(reasonCode);
  });

  it("asks for the process number of Argentina (650), and never for a field whose printing is unconfirmed", () => {
    const { barcode: _, ...card } = argentina;
    const front = changed(card.front, "00123456789");
    expect(judge({ ...card, front }, "ARG").holding).toEqual(["documentCode-not-printed"]);
    const foreigner = printed([0.1, 0.05, "REPÚBLICA DEL PERÚ"], [0.1, 0.1, "CARNÉ DE EXTRANJERÍA"]);
    const { holding } = judge({ front: foreigner }, "PER", "RESIDENCE_PERMIT");
    expect(holding.filter((name) => name.endsWith("-not-printed"))).toEqual([]);
  });
});

describe("print, MRZ and barcode", () => {
  it("decline where two of them agree against the third, and the model's fact may decline (507)", () => {
    const front = changed(chile.front, "01 ENE 1990", "07 JUL 1987");
    const { code, reasonCode, holding } = judge({ ...chile, front }, "CHL");
    expect([code, reasonCode]).toEqual([9102, 507]);
    expect(holding).toContain("source-contradicted-by-two");
  });

  it("never decline by a fact that is unconfirmed or of a single library, however they differ", () => {
    const front = changed(ecuador.front, "01 ENE 1990", "07 JUL 1987");
    expect(judge({ ...ecuador, front }, "ECU")).toMatchObject({ code: 9121, reasonCode: 507 });
    const born = changed(peru.front, "01 01 1990 150101", "07 07 1987 150101");
    expect(judge({ ...peru, front: born }, "PER")).toMatchObject({ code: 9121, reasonCode: 507 });
  });

  it.each([
    ["01-01-1996", 0.98, ["print-contradicts-zone"]],
    // A single digit that was read reliably is asked for again.
    ["01-01-1998", 0.96, ["print-unclear"]],
    ["01-01-1991", 0.96, ["print-unclear"]],
    ["01-01-1991", 0.9, ["print-unclear"]],
    ["07-07-1987", 0.92, ["print-contradicts-zone"]],
    // A date that was not read reliably contradicts nothing, and ties nothing.
    ["07-07-1987", 0.7, ["sides-untied", "print-unclear"]],
    ["07-07-1987", 0.6, ["sides-untied", "print-unclear"]],
    ["07-07-1987", 0.59, ["sides-untied"]],
    // One misread character.
    ["01-01-1991", 0.7, []],
  ] as const)("contradict by %s, read with a confidence of %d, in %j", (date, confidence, names) => {
    const front = honduras.front.map((row) =>
      row.text === "01-01-1990" ? line(0.36, 0.49, date, confidence) : row,
    );
    expect(judge({ ...honduras, front }, "HND").holding).toEqual(names);
  });

  it("contradict by the day of expiry: the MRZ's stands, and the difference is a sign of fraud (507)", () => {
    const expiring = (card: DrawnCard, country: string, from: string, to: string) => {
      const front = changed(card.front, from, to);
      const { values } = caseOf(cardReading({ ...card, front })).fields;
      const { code, reasonCode } = judge({ ...card, front }, country);
      return [values.dateOfExpiry?.value, code, reasonCode];
    };
    expect(expiring(ecuador, "ECU", "01 ENE 2035", "05 AGO 2047")).toEqual(["2035-01-01", 9121, 507]);
    expect(expiring(ecuador, "ECU", "01 ENE 2035", "05 AGO 2024")).toEqual(["2035-01-01", 9121, 507]);
    expect(expiring(chile, "CHL", "01 ENE 2035", "05 AGO 2047")).toEqual(["2035-01-01", 9102, 507]);
  });

  it("go to review where one source has both values (507)", () => {
    const front = changed(chile.front, "01 ENE 1990", "07 JUL 1987");
    const document = caseOf(cardReading({ ...chile, front }), { country: "CHL", type: "ID_CARD" });
    const readings = fieldReadingsOf(document.fields).map((reading) =>
      reading.name === "dateOfBirth" && reading.source === "barcode"
        ? { ...reading, source: "print" as const }
        : reading,
    );
    const fields = { ...document.fields, ...mergeReadings(readings) };
    const holding = findAll({ ...document, fields }).filter(({ holds }) => holds === true);
    expect(holding.map(({ name }) => name)).toEqual(["print-contradicts-zone", "sides-contradict"]);
  });

  it("never decline by one digit that differs (507)", () => {
    const front = changed(chile.front, "01 ENE 1990", "01 ENE 1996");
    expect(judge({ ...chile, front }, "CHL").holding).not.toContain("source-contradicted-by-two");
  });

  it("compare names as names: diacritics, truncation and a second surname make no difference", () => {
    expect(judge({ ...peru, front: changed(peru.front, "SOLÍS", "SOLIS") }, "PER").holding).toEqual([]);
    expect(judge({ ...peru, front: changed(peru.front, "PRUEBA", "GARCÍA") }, "PER").holding).toEqual([]);
    // The model of Peru compares no names: between two sides they count nevertheless.
    const other = judge({ ...peru, front: changed(peru.front, "SOLÍS", "GARCÍA") }, "PER");
    expect([other.code, other.holding]).toEqual([9121, ["print-contradicts-zone"]]);
    const { holding, code } = judge(
      { ...honduras, front: changed(honduras.front, "SOLÍS PRUEBA", "GARCÍA LÓPEZ") },
      "HND",
    );
    expect([code, holding]).toEqual([9121, ["print-contradicts-zone"]]);
  });

  /** What is decided of a card with this print and these names in its MRZ, and the answered names. */
  const named = (
    card: DrawnCard,
    country: string,
    names: string,
    ...changes: [from: string, to: string][]
  ) => {
    const { barcode: _, ...own } = card;
    const front = changes.reduce((lines, [from, to]) => changed(lines, from, to), card.front);
    const mrz = [...(card.mrz ?? []).slice(0, 2), names.padEnd(30, "<")];
    const sent = { ...own, front, mrz };
    const { code, reasonCode } = judge(sent, country);
    const { fields } = caseOf(cardReading(sent), { country, type: "ID_CARD" });
    const { lastName, firstName } = fields.values;
    return [code, reasonCode, lastName?.value, firstName?.value, sideChecks(fields).get("lastName")];
  };

  it.each([
    ["SOLÍS", "LÓPEZ SOLÍS"],
    ["PRUEBA", "PRUEBA LÓPEZ"],
    ["PRUEBA", "PRUEBAS LÓPEZ"],
    ["PRUEBA", "PRUEBALDO"],
  ] as const)(
    "ask again where %s became %s, for which the MRZ had space (619): the MRZ's surnames are answered",
    (from, to) => {
      expect(named(chile, "CHL", "SOLIS<PRUEBA<<ANA<MARIA", [from, to])).toEqual([
        9103,
        619,
        "SOLIS PRUEBA",
        "ANA MARÍA",
        undefined,
      ]);
    },
  );

  it("ask again for an added given name too (619)", () => {
    const added = named(chile, "CHL", "SOLIS<PRUEBA<<ANA<MARIA", ["ANA MARÍA", "ANA MARÍA ROSA"]);
    expect(added).toEqual([9103, 619, "SOLÍS PRUEBA", "ANA MARIA", true]);
  });

  it.each([
    ["is full", "SOLIS<PRUEBA<<ANA<MARIA<ISABEL", "ANA MARIA ISABEL ROSA"],
    [
      "has space for a filler alone, and answer the MRZ's",
      "SOLIS<PRUEBA<<ANA<MARIA<ELENA",
      "ANA MARIA ELENA",
    ],
  ])("accept a longer printed name where the MRZ's field %s", (_, names, answered) => {
    const given = names.slice(14).replaceAll("<", " ");
    const longer = named(chile, "CHL", names, ["ANA MARÍA", `${given} ROSA`]);
    expect(longer).toEqual([9001, null, "SOLÍS PRUEBA", answered, true]);
  });

  it("accept a second surname where the country's MRZ may have the first one alone, and no third one", () => {
    const whole = ["SOLÍS PRUEBA", "ANA MARÍA", true];
    expect(named(peru, "PER", "SOLIS<<ANA<MARIA")).toEqual([9001, null, ...whole]);
    expect(named(peru, "PER", "DE<LA<CRUZ<<ANA<MARIA", ["SOLÍS", "DE LA CRUZ"])).toEqual([
      9001,
      null,
      "DE LA CRUZ PRUEBA",
      "ANA MARÍA",
      true,
    ]);
    expect(named(peru, "PER", "SOLIS<PRUEBA<<ANA<MARIA", ["PRUEBA", "PRUEBA LÓPEZ"])).toEqual([
      9103,
      619,
      "SOLIS PRUEBA",
      "ANA MARÍA",
      undefined,
    ]);
  });

  it("excuse one misread letter in all, and ask again for two that were read reliably (619)", () => {
    const decided = (...changes: [string, string][]) =>
      named(chile, "CHL", "SOLIS<PRUEBA<<ANA<MARIA", ...changes).slice(0, 2);
    expect(decided(["SOLÍS", "SALÍS"])).toEqual([9001, null]);
    expect(decided(["ANA MARÍA", "ANA MARIO"])).toEqual([9001, null]);
    expect(decided(["SOLÍS", "SALÍS"], ["PRUEBA", "PRUEDA"])).toEqual([9103, 619]);
    expect(decided(["SOLÍS", "SALÍS"], ["ANA MARÍA", "ANA MARIO"])).toEqual([9103, 619]);
  });

  it("excuse two misread letters that were not read reliably", () => {
    const front = honduras.front.map((row) =>
      row.text === "SOLÍS PRUEBA" ? line(0.36, 0.37, "SALÍS PRUEDA", 0.94) : row,
    );
    expect(judge({ ...honduras, front }, "HND").holding).not.toContain("print-unclear");
  });

  it("send a printed number with a wrong check digit to review (507), as a hint where only one library states the rule", () => {
    const wrong = (card: DrawnCard, country: string) => {
      const { findings, code } = judge(card, country);
      const found = findings.find(({ name }) => name === "printed-check-digit-wrong");
      return [code, found?.holds, found?.isHint];
    };
    const front = changed(ecuador.front, "NUI.1710034065", "NUI.1710034064");
    expect(wrong({ ...ecuador, front }, "ECU")).toEqual([9121, true, undefined]);
    const back = changed(argentina.back ?? [], "CUIL: 27-30123456-8", "CUIL: 27-30123456-7");
    expect(wrong({ ...argentina, back }, "ARG")).toEqual([9121, true, true]);
  });

  it("count right check digits of an MRZ whose model states that they are unreliable, and no wrong ones", () => {
    const holds = (card: DrawnCard, country: string, change: number) => {
      const [first = "", second = "", third = ""] = card.mrz ?? [];
      const last = String((Number(second.at(-1)) + change) % 10);
      const mrz = [first, `${second.slice(0, -1)}${last}`, third];
      const { findings } = judge({ ...card, mrz }, country);
      return findings.find(({ name }) => name === "check-digits-wrong")?.holds;
    };
    expect([holds(guatemala, "GTM", 0), holds(guatemala, "GTM", 1)]).toEqual([false, "unknown"]);
    expect([holds(honduras, "HND", 0), holds(honduras, "HND", 1)]).toEqual([false, true]);
  });
});

describe("a model's facts", () => {
  const saying = (card: DrawnCard, country: string) => {
    const { code, reasonCode, findings } = judge(card, country);
    const found = (name: string) => findings.find((finding) => finding.name === name);
    return { code, reasonCode, found };
  };

  it("state how long a card is valid: a longer time goes to review (507), a shorter one is a child's", () => {
    const expiring = (date: string) => {
      const front = changed(panama.front, "EXPIRA: 03-FEB-2034", `EXPIRA: ${date}`);
      const { found } = saying({ ...panama, front }, "PAN");
      return found("validity-too-long");
    };
    expect([expiring("03-FEB-2034")?.holds, expiring("15-ENE-2035")?.holds]).toEqual([false, false]);
    expect(expiring("03-FEB-2029")?.holds).toBe(false);
    expect(expiring("03-FEB-2036")).toMatchObject({ holds: true, code: 507, isHint: true });
    const front = changed(chile.front, "01 ENE 2035", "01 ENE 2037");
    const { mrz: _, barcode: __, ...rest } = chile;
    expect(saying({ ...rest, front }, "CHL").found("validity-too-long")?.isHint).toBeUndefined();
  });

  it("state which number contains another: a tax number of somebody else goes to review (507)", () => {
    const other = changed(argentina.back ?? [], "CUIL: 27-30123456-8", "CUIL: 27-12345678-0");
    const { code, reasonCode, found } = saying({ ...argentina, back: other }, "ARG");
    expect([code, reasonCode]).toEqual([9121, 507]);
    expect(found("values-do-not-fit")).toMatchObject({
      holds: true,
      isHint: true,
      evidence: { values: "back.taxNumber mrz.documentNumber", noted: "" },
    });
    expect(saying(argentina, "ARG").found("values-do-not-fit")?.holds).toBe(false);
  });

  it("note a year of birth that the number does not contain, without a review", () => {
    const front = changed(honduras.front, "0801 1990 12345", "0801 1975 12345");
    const { code, found } = saying({ ...honduras, front }, "HND");
    expect(code).toBe(9001);
    expect(found("values-do-not-fit")).toMatchObject({
      holds: false,
      evidence: { values: "", noted: "front.documentNumber mrz.dateOfBirth" },
    });
  });

  it("state when a generation ended, whatever date is printed: another document is requested (620)", () => {
    const old = printed(
      [0.2, 0.03, "REPÚBLICA DE HONDURAS"],
      [0.2, 0.09, "REGISTRO NACIONAL DE LAS PERSONAS"],
      [0.2, 0.15, "TARJETA DE IDENTIDAD"],
      [0.36, 0.6, "0801-1990-12345"],
    );
    expect(judge({ front: old }, "HND")).toMatchObject({ code: 9103, reasonCode: 620 });
    const ended = (acceptedUntil: string, sure: "S" | "?") => {
      const document = caseOf(cardReading(panama), { country: "PAN", type: "ID_CARD" });
      const { model } = document.fields;
      if (model === undefined) throw new Error("The card has no model");
      const fields = { ...document.fields, model: { ...model, issued: { acceptedUntil, sure } } };
      const { code, reasonCode } = judgeDocument(findAll({ ...document, fields }), document.policy);
      return [code, reasonCode];
    };
    expect(ended("2023-12-31", "S")).toEqual([9103, 620]);
    expect(ended("2023-12-31", "?")).toEqual([9121, 620]);
    expect(ended("2026-11-21", "S")).toEqual([9001, null]);
  });
});

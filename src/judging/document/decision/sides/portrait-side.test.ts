import { describe, expect, it } from "vitest";
import { cardReading, chile } from "#support/document/national-cards";
import { line, printed } from "#support/document/printed-lines";
import { caseOf, mrzOf, readingOf, sideOf } from "#support/document/reading";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import type { SideReading } from "../../reading/reading.ts";
import { decideDocument } from "../decide.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { mergeReadings } from "../sources/merge.ts";
import { findTie } from "./find-tie.ts";

/** Chile's back: an MRZ and a QR code of one person. */
const stolen = cardReading(chile).back!;
const face = { faces: 1, portrait: sideOf().portrait! };
/**
 * The rows of its MRZ on an image that it fills: 30 characters on 76.2 of 85.6 mm, 4.23 mm apart, at the
 * lower edge of 54 mm.
 */
const rows = stolen.mrz!.lines.map((text, i) => ({
  ...line(0.055, 0.704 + i * 0.0783, text),
  box: { x: 0.055, y: 0.704 + i * 0.0783, width: 0.89, height: 0.05 },
}));

const judge = (front: SideReading, back?: SideReading) => {
  const reading = readingOf(front, back);
  const { fields, declared, now, policy } = caseOf(reading, { country: "CHL", type: "ID_CARD" });
  const { decision } = decideDocument({ reading, fields }, declared, now, policy);
  return { tie: findTie(fields, reading).kind, isApproved: decision.code === 9001 };
};
const untied = { tie: "none", isApproved: false };

describe("a face beside a stolen back", () => {
  const besides: readonly (readonly [string, readonly TextLine[]])[] = [
    ["nothing else", []],
    ["the number that the back prints", printed([0.3, 0.1, "Nº A12345678"], [0.3, 0.3, "RUN 12.345.678-5"])],
    ["the number that the back prints at a label", printed([0.3, 0.1, "RUN"], [0.3, 0.15, "12.345.678-5"])],
    ["its names and birth date", printed([0.3, 0.1, "SOLIS PRUEBA"], [0.3, 0.2, "ANA 01 01 1990"])],
  ];
  it.each(besides)("is tied by no code that agrees with its MRZ, with %s", (_, texts) => {
    const front = sideOf({ ...stolen, ...face, lines: [...texts, ...rows] });
    expect(judge(front)).toEqual(untied);
    expect(judge(front, stolen)).toEqual(untied);
    // Where no row of the MRZ is among the lines, each line may be of its card.
    expect(judge({ ...front, lines: texts }, stolen)).toEqual(untied);
  });

  it.each(besides)("is tied by no code where its MRZ was read in part or badly, with %s", (_, texts) => {
    const { mrz, ...without } = stolen;
    const half = rows.map(({ text, box, ...one }) => ({
      ...one,
      text: text.slice(15),
      box: { ...box, x: 0.5, width: box.width / 2 },
    }));
    const unclear = mrzOf(mrz!.lines, { accepted: false, clear: false });
    const fronts = [
      sideOf({ ...without, ...face, mrz: unclear, lines: [...texts, ...rows] }),
      sideOf({ ...without, ...face, lines: [...texts, ...half] }),
      sideOf({ ...without, ...face, barcodes: [], lines: [...texts, ...half.slice(1, 2)] }),
      // Its barcode alone, which the other image has too.
      sideOf({ ...without, ...face, lines: texts }),
    ];
    for (const front of fronts) expect(judge(front, stolen)).toEqual(untied);
  });

  it("is asked for again (619) where the portrait's side shows nothing but a code", () => {
    const front = sideOf({ ...face, barcodes: stolen.barcodes });
    const reading = readingOf(front, stolen);
    const { fields, declared, now, policy } = caseOf(reading, { country: "CHL", type: "ID_CARD" });
    const { decision } = decideDocument({ reading, fields }, declared, now, policy);
    expect([decision.code, decision.reasonCode]).toEqual([9103, 619]);
  });

  it("is tied by print apart from the card of the MRZ, on each side of its edges", () => {
    const small = rows.map(({ text, box: { x, y, width, height }, ...one }) => ({
      ...one,
      text,
      box: { x: 0.5 + x / 2, y: 0.5 + y / 2, width: width / 2, height: height / 2 },
    }));
    const tieAt = (x: number, y: number) =>
      judge(
        sideOf({
          ...stolen,
          ...face,
          lines: [line(x, y, "A12345678"), line(0.3, 0.2, "01.01.1990"), ...small],
        }),
      ).tie;
    expect([tieAt(0.3, 0.7), tieAt(0.5, 0.7)]).toEqual(["number", "none"]);
    expect([tieAt(0.6, 0.4), tieAt(0.6, 0.52), tieAt(0.6, 0.95)]).toEqual(["number", "none", "none"]);
  });
});

describe("two readings of one field", () => {
  const reading = (
    source: FieldReading["source"],
    side: FieldReading["side"],
    value: string,
    name: FieldReading["name"] = "documentNumber",
  ): FieldReading => ({
    name,
    source,
    side,
    value,
    raw: value,
    confidence: 0.97,
    box: { x: 0.4, y: 0.4, width: 0.2, height: 0.04 },
  });
  const mrz = mrzOf([
    "I<PRT1234500674<<<<<<<<<<<<<<<",
    "8503127F3109111PRT<<<<<<<<<<<6",
    "PRUEBA<<ANNA<<<<<<<<<<<<<<<<<<",
  ]);
  const tieOf = (mrzOn: "front" | "back" | "none", ...readings: readonly FieldReading[]) => {
    const own = mrzOn === "none" ? {} : { mrz };
    const [front, back] = [sideOf(mrzOn === "front" ? own : {}), sideOf(mrzOn === "back" ? own : {})];
    const sources = readingOf(front, back);
    const { fields } = caseOf(sources);
    const payloads = readings
      .filter(({ source }) => source === "barcode")
      .map(({ side }) => ({ side, payload: { layout: "chl.qr" as const, fields: {}, unsure: [] } }));
    return findTie({ ...fields, ...mergeReadings(readings), payloads }, sources).kind;
  };
  /** The number and the birth date of one person. */
  const ofOne = (source: FieldReading["source"], side: FieldReading["side"]): readonly FieldReading[] => [
    reading(source, side, "123450067"),
    reading(source, side, "1985-03-12", "dateOfBirth"),
  ];
  const sides = ["front", "back"] as const;
  const sources = ["mrz", "barcode", "print"] as const;
  const places = sources.flatMap((source) => sides.map((side) => ({ source, side })));
  const pairs = places.flatMap((one, i) => places.slice(i + 1).map((other) => [one, other] as const));

  it.each(pairs)(
    "tie only where the portrait's side shows one and the other is data: %j, %j",
    (one, other) => {
      const both = [one, other];
      const of = (source: string, side?: string) =>
        both.find((place) => place.source === source && (side ?? place.side) === place.side);
      // An MRZ of three lines on the front's image: its print has no place apart from the MRZ, of which no
      // line was read.
      const mrzOn = of("mrz")?.side ?? "none";
      // The other reading is data: a code. Two codes show nothing of the portrait, wherever they are.
      const isPrinted =
        of("print", "front") !== undefined && (of("mrz", "back") ?? of("barcode")) !== undefined;
      const found = tieOf(mrzOn, ...both.flatMap(({ source, side }) => ofOne(source, side)));
      // A document without MRZ and barcode has no data but its print.
      const isPrintAlone = both.every(({ source }) => source === "print");
      expect(found).toBe(isPrintAlone ? "print" : isPrinted ? "number" : "none");
    },
  );

  it("are a tie by two kinds, and by none that is on the other image too", () => {
    const [number, birth] = [
      reading("print", "front", "123450067"),
      reading("print", "front", "1985-03-12", "dateOfBirth"),
    ];
    const data = ofOne("mrz", "back");
    expect(tieOf("back", number, ...data)).toBe("none");
    expect(tieOf("back", birth, ...data)).toBe("none");
    expect(tieOf("back", number, birth, ...data)).toBe("number");
    // A back that prints its number: the birth date is on the front alone.
    expect(tieOf("back", number, birth, reading("print", "back", "123450067"), ...data)).toBe("number");
    expect(tieOf("back", number, birth, ...ofOne("print", "back"), ...data)).toBe("none");
  });

  it("of a surname are no names where a barcode has the surname alone", () => {
    const named = (source: FieldReading["source"], side: FieldReading["side"], first: readonly string[]) => [
      reading(source, side, "SOLIS", "lastName"),
      ...first.map((name) => reading(source, side, name, "firstName")),
      reading(source, side, "1985-03-12", "dateOfBirth"),
    ];
    expect(tieOf("none", ...named("print", "front", []), ...named("barcode", "back", []))).toBe("none");
    expect(tieOf("none", ...named("print", "front", ["ANA"]), ...named("barcode", "back", []))).toBe("none");
    expect(tieOf("none", ...named("print", "front", ["ANA"]), ...named("barcode", "back", ["ANA"]))).toBe(
      "name-and-birth",
    );
  });

  it("of print alone are a tie where the portrait's side identifies the holder", () => {
    expect(tieOf("none", ...ofOne("print", "front"))).toBe("print");
    expect(tieOf("none", ...ofOne("print", "back"))).toBe("none");
    expect(tieOf("none", reading("print", "front", "PRT", "issuer"))).toBe("none");
  });

  it("of front and back in print are no tie to an MRZ of another number", () => {
    const print = sides.map((side) => reading("print", side, "998877665"));
    expect(tieOf("back", ...print, reading("mrz", "back", "123450067"))).toBe("none");
  });

  it("of print and a barcode are no tie where the MRZ has another number than the barcode", () => {
    const own = (["print", "barcode"] as const).flatMap((source) => [
      reading(source, "front", "998877665"),
      reading(source, "front", "1985-03-12", "dateOfBirth"),
    ]);
    expect(tieOf("back", ...own, reading("mrz", "back", "123450067"))).toBe("none");
    expect(tieOf("back", ...own, reading("mrz", "back", "998877665"))).toBe("number");
    expect(tieOf("none", ...own)).toBe("number");
  });

  it.each([
    ["SOLIS", "MARIO", "SOLIS", "MARIA", "none"],
    ["S0LIS", "MARIO", "SOLIS", "MARIA", "none"],
    ["MÜLLER", "MARIO", "MULLER", "MARIA", "none"],
    ["S0LIS", "MARI", "SOLIS", "MARIANA", "none"],
    ["SOLIX", "MAR1A", "SOLIS", "MARIA", "none"],
    ["S0LIS", "MAR1A", "SOLIS", "MARIA", "name-and-birth"],
    ["SOLIS", "MARIA", "SOLIS", "MARIA PAZ", "none"],
    ["SOLIS", "MARIA JOSE", "SOLIS", "MARIA PAZ", "none"],
    ["SOLIS", "MARIA JOSE", "SOLIS", "MARIA", "none"],
    ["SOLIS", "MARIA", "SOLIS PRUEBA", "MARIA", "none"],
    ["SOLIS PRUEBA", "MARIA JOSE", "SOLIS PRUEBA", "MARIA JOSE", "name-and-birth"],
    ["MÜLLER", "MARIA", "MUELLER", "MARIA", "name-and-birth"],
  ] as const)("%s, %s and %s, %s with one birth date: %s", (last, first, otherLast, otherFirst, tie) => {
    const names = (source: "print" | "mrz", side: "front" | "back", one: string, two: string) => [
      reading(source, side, one, "lastName"),
      reading(source, side, two, "firstName"),
      reading(source, side, "1985-03-12", "dateOfBirth"),
    ];
    const read = [...names("print", "front", last, first), ...names("mrz", "back", otherLast, otherFirst)];
    expect(tieOf("back", ...read)).toBe(tie);
  });
});

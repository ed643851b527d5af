import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mayDecline } from "../../values/provenance.ts";
import { lintModel } from "./lint-model.ts";
import { readDocumentModels } from "./read-models.ts";

const sound = {
  id: "XXA-ID-2020",
  title: "Card",
  country: "XXA",
  type: "ID_CARD",
  size: "ID-1",
  sides: { front: "required", back: "required", sure: "O" },
  barcodes: [],
  fields: [
    { name: "lastName", side: "front", labels: ["Surname"], format: "name", printed: "always", sure: "O" },
    { name: "documentNumber", side: "back", labels: [], format: "chl.run", printed: "always", sure: "L" },
  ],
  checks: [],
  identify: { words: [["REPUBLIC"]], wordsMin: 1 },
};

const problemsOf = (change: object) => lintModel(JSON.stringify({ ...sound, ...change })).problems;
const [lastName] = sound.fields;
const signature = { side: "front", labels: ["Signature"], sure: "?" };

describe("a model's file", () => {
  it("is a model when it is sound", () => {
    expect(lintModel(JSON.stringify(sound))).toMatchObject({ model: { id: "XXA-ID-2020" }, problems: [] });
  });

  it.each([
    [{ id: "XXB-ID-2020" }, "/id: does not begin with XXA-"],
    [{ issued: { from: "2020-01-02", to: "2020-01-01", sure: "S" } }, "/issued: its days are not in order"],
    [{ fields: [{ ...lastName, labels: [] }] }, "/fields/0 (lastName): has neither label nor neighbours"],
    [{ fields: [{ ...lastName, format: "xxa.id" }] }, "/fields/0 (lastName): has the unknown format xxa.id"],
    [{ fields: [{ ...lastName, format: "code" }] }, "/fields/0 (lastName): is a code without a shape"],
    [{ fields: [{ ...lastName, format: "code", shape: "(" }] }, "that is not a regular expression"],
    [{ fields: [lastName, { ...lastName, name: "firstName" }] }, "has a label of lastName and the same row"],
    [{ sides: { front: "required", back: "none", sure: "O" } }, "/fields/1 (documentNumber): is on a back"],
    [{ personNumber: "personalNumber" }, "/personNumber: no field is called personalNumber"],
    [{ signature: { side: "front", labels: [], sure: "?" } }, "/signature: has neither place nor label"],
    [{ identify: { words: [], wordsMin: 1 } }, "/identify: nothing distinguishes this document from others"],
    [{ fields: [{ ...lastName, sure: "X" }] }, "/fields/0/sure"],
    [{ colour: "red" }, "/colour"],
    [
      { barcodes: [{ side: "back", symbology: "QRCode", layout: "xxa.qr", trust: "text", sure: "L" }] },
      "/barcodes/0: no parser is called xxa.qr",
    ],
    [
      { barcodes: [{ side: "back", symbology: "PDF417", layout: "col.cedula", trust: "opaque", sure: "L" }] },
      "/barcodes/0: opaque is never parsed",
    ],
    [{ validity: { years: [], noExpiry: false, sure: "S" } }, "/validity/years"],
    [{ surplus: 1 }, "/surplus: there is no such entry"],
    [{ issued: { from: "2024-02-31", sure: "S" } }, "/issued/from: 2024-02-31 is not a calendar date"],
    [{ fields: [{ ...lastName, place: [32, 74, 30, 18] }] }, "/fields/0/place/0: must be <= 1"],
    [{ fields: [{ ...lastName, place: [0.5, 0.5, 0, 0.2] }] }, "/fields/0/place/2: must be > 0"],
    [
      { fields: [{ ...lastName, place: [0.5, 0.5, 0.6, 0.2] }] },
      "/fields/0 (lastName): its place reaches beyond",
    ],
    [{ signature: { ...signature, place: [0.5, 0.5, 0.2, 0.6] } }, "/signature: its place reaches beyond"],
    [{ fields: [{ ...lastName, name: "surname" }] }, "/fields/0/name: must be one of documentNumber, "],
    [{ sides: { front: "optional", back: "none", sure: "O" } }, "/sides/front: must be required"],
  ])("with %j is refused, with the reason", (change, problem) => {
    expect(problemsOf(change).join("\n")).toContain(problem);
  });

  it("accepts a place that ends at the edge, in spite of rounding", () => {
    expect(problemsOf({ signature: { ...signature, place: [0.7, 0.9, 0.3, 0.1] } })).toEqual([]);
  });

  it("reports all problems at once, of every kind", () => {
    const barcode = { side: "back", symbology: "QRCode", layout: "xxa.qr", trust: "text", sure: "L" };
    const issued = { from: "2024-02-31", sure: "S" };
    const identify = { words: [["REPUBLIC"]], wordsMin: 0 };
    const fields = [
      { ...lastName, sure: "X" },
      { ...lastName, format: "xxa.id" },
    ];
    expect(problemsOf({ barcodes: [barcode], issued, identify, fields }).toSorted()).toEqual([
      expect.stringContaining("/barcodes/0: no parser is called xxa.qr; there are aamva, "),
      "/fields/0/sure: must be one of O, L, S, ?",
      expect.stringContaining("/fields/1 (lastName): has the unknown format xxa.id; there are name, text, "),
      "/identify/wordsMin: must be >= 1",
      "/issued/from: 2024-02-31 is not a calendar date",
    ]);
  });

  it("has its id in lower case as its name, which is reported beside other problems", () => {
    const lint = (change: object, name: string) =>
      lintModel(JSON.stringify({ ...sound, ...change }), name).problems;
    expect(lint({}, "xxa-id-2020.yaml")).toEqual([]);
    expect(lint({}, "card.yaml")).toEqual([
      "/id: the file is called card.yaml, not xxa-id-2020.yaml, its id in lower case",
    ]);
    expect(lint({ surplus: 1 }, "card.yaml")).toHaveLength(2);
  });

  it.each([
    ["", "is empty"],
    ["# nothing yet\n", "is empty"],
    ["my card has a name and a number", "holds no entries"],
    ["- id: XXA-ID-2020", "holds no entries"],
  ])("that is only %j is reported so, with the place of a complete model", (text, what) => {
    expect(lintModel(text).problems).toEqual([expect.stringContaining(what)]);
    expect(lintModel(text).problems[0]).toContain("docs/guides/extend/document-models.md");
  });

  it.each([
    ["mrz.lastName", "is in no MRZ of this model"],
    ["barcode.lastName", "is in no parsed barcode"],
    ["back.lastName", "is not a field of this model"],
  ])("may not compare %s, which it does not have", (value, problem) => {
    const check = { rule: "same", of: ["front.lastName", value], strength: "exact", sure: "O" };
    expect(problemsOf({ checks: [check] })).toEqual([`/checks/0: ${value} ${problem}`]);
  });

  it("notes an exact check whose provenance does not allow it", () => {
    const check = {
      rule: "same",
      of: ["front.lastName", "back.documentNumber"],
      strength: "exact",
      sure: "L",
    };
    expect(lintModel(JSON.stringify({ ...sound, checks: [check] })).notes.join()).toContain("goes to review");
    expect(lintModel(JSON.stringify({ ...sound, checks: [{ ...check, sources: 2 }] })).notes).toEqual([]);
  });

  it("never throws, for any text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => JSON.stringify(value)),
        ),
        (text) => {
          expect(lintModel(text).problems.length).toBeGreaterThan(0);
        },
      ),
    );
    expect(lintModel("a: [".repeat(1000)).problems).toHaveLength(1);
    expect(lintModel(`x: ${"y".repeat(100_001)}`).problems[0]).toContain("longer than");
  });
});

describe("a fact", () => {
  it("never declines where it is unconfirmed or of a single library", () => {
    expect((["O", "L", "S", "?"] as const).map((sure) => mayDecline({ sure }))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(mayDecline({ sure: "L", sources: 2 })).toBe(true);
    expect(mayDecline({ sure: "?", sources: 9 })).toBe(false);
  });
});

describe("the catalogue", () => {
  const { national, generic } = readDocumentModels();

  it("has a model of every country with a civil registry, and of Chile", () => {
    const countries = new Set(national.map(({ country }) => country));
    expect([...countries].sort()).toEqual(["ARG", "CHL", "CRI", "ECU", "GTM", "HND", "PAN", "PER"]);
  });

  it("has one for every ICAO format and for North American licences", () => {
    expect(generic.map(({ id }) => id)).toEqual(["AAMVA-DL", "ICAO-TD1", "ICAO-TD2", "ICAO-TD3"]);
  });

  it("states for every country's card which of its numbers is the holder's own", () => {
    expect(national.filter(({ personNumber }) => personNumber === undefined)).toEqual([]);
  });
});

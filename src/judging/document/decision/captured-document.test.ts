import { Compile } from "typebox/compile";
import { describe, expect, it } from "vitest";
import { ocrData } from "#contract/event-document";
import { collectFields, mrzOf, passportLines, readingOf, sideOf } from "#support/document/reading";
import { fieldNames } from "../values/field-name.ts";
import { ocrOf, ocrOfDeclared } from "./captured-document.ts";

const ocr = Compile(ocrData);
const read = (side: Parameters<typeof sideOf>[0]) => collectFields(readingOf(sideOf(side)), new Date());

describe("the ocr object of id_captured", () => {
  it("has type, country and the values that were read with confidence", async () => {
    const found = ocrOf(await read({ mrz: mrzOf(passportLines) }));
    expect(ocr.Parse(found)).toEqual(found);
    expect(found).toMatchObject({
      version: 1,
      type: "PASSPORT",
      country: "CHL",
      fields: { documentNumber: "F12345678", gender: "F", nationality: "CHL" },
    });
    expect(Object.keys(found.fields)).not.toContain("sex");
  });

  it("leaves out a value below the confidence of a reported one", async () => {
    const fields = await read({ mrz: mrzOf(passportLines) });
    const { documentNumber } = fields.values;
    const values = { ...fields.values, documentNumber: { ...documentNumber!, confidence: 0.89 } };
    expect(ocrOf({ ...fields, values }).fields).not.toHaveProperty("documentNumber");
    const reported = { ...fields.values, documentNumber: { ...documentNumber!, confidence: 0.9 } };
    expect(ocrOf({ ...fields, values: reported }).fields).toHaveProperty("documentNumber");
  });

  it("states nothing of an image without a document", async () => {
    expect(ocrOf(await read({}))).toEqual({ version: 1, type: null, country: null, fields: {} });
  });

  it("has the declaration alone where the document is read later", () => {
    const found = ocrOfDeclared({ country: "PER", type: "RESIDENCE_PERMIT" });
    expect(ocr.Parse(found)).toEqual({ version: 1, type: "RESIDENCE_PERMIT", country: "PER", fields: {} });
  });

  it("documents every field that a document may have", () => {
    const names = fieldNames.map((name) => (name === "sex" ? "gender" : name));
    expect(Object.keys(ocrData.properties.fields.properties)).toEqual(names);
  });
});

import { describe, expect, test } from "vitest";
import { reopen, signWith, wholeFile } from "#support/signing/pdf/append";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { openPdf } from "./open-pdf.ts";
import { dictionaryOf, openView } from "./reader/open-view.ts";
import type { PdfValue } from "./reader/pdf-value.ts";

const field = "<</FT/Sig/T(Mine)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]>>";

describe("a field is filled where it stands", () => {
  test.each([
    ["in the array of the form", `/AcroForm<</Fields[${field}]>>`, []],
    ["in an array of its own", "/AcroForm<</Fields 100 0 R>>", [`[${field}]`]],
    ["below another field", "/AcroForm<</Fields[100 0 R]>>", [`<</T(Top)/Kids[${field}]>>`]],
    ["behind a reference", "/AcroForm 101 0 R", [field, "<</Fields[100 0 R]>>"]],
  ])("%s", async (_, catalog, objects) => {
    const file = await openPdf(makePdf({ catalog, objects }));
    const [{ name } = { name: "" }] = file.fields();
    signWith(file, { fieldName: name });
    expect((await reopen(file)).fields().map((one) => [one.name, one.isSigned])).toEqual([[name, true]]);
  });
});

test("a stream in the place of the form is refused, not replaced", async () => {
  const form = "<</Fields[]/Length 0>>\nstream\n\nendstream";
  const file = await openPdf(makePdf({ catalog: "/AcroForm 100 0 R", objects: [form] }));
  expect(() => signWith(file)).toThrow(expect.objectContaining({ code: "pdf_unreadable" }));
});

/** A value without the places of its texts, its entries in the order of their keys. */
const shown = (value: PdfValue): unknown => {
  if (value.kind === "string") return Buffer.from(value.bytes).toString("hex");
  if (value.kind === "array") return value.items.map(shown);
  if (value.kind !== "dictionary") return value;
  return Object.fromEntries([...value.entries].map(([key, one]) => [key, shown(one)]));
};

test("an object that is written anew says what it said before", async () => {
  const catalog =
    "/Odd (a\\0\\\\\\)) /A#20B#C3 /N#FFx /Real -.50 /List [1 (x) <</Y true>> null] /Twice 1 /Twice 2";
  const file = await openPdf(makePdf({ catalog }));
  const before = openView(file.original);
  signWith(file);
  const after = openView(wholeFile(file));
  const [former, current] = [before, after].map((view) => new Map(dictionaryOf(view, view.load(1))));
  current?.delete("AcroForm");
  expect(current?.get("Twice (repeated)")).toEqual({ kind: "number", value: 1 });
  expect(shown({ kind: "dictionary", entries: current ?? new Map() })).toEqual(
    shown({ kind: "dictionary", entries: former ?? new Map() }),
  );
});

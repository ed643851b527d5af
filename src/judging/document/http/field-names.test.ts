import { expect, it } from "vitest";
import { groupedName, labelKey } from "./field-names.ts";

it.each([
  ["Fecha de emisión", "FECHA_DE_EMISION"],
  ["N.º de documento:", "N_DE_DOCUMENTO"],
  ["Płeć / Sex", "PLEC_SEX"],
  ["Datum rođenja", "DATUM_RODENJA"],
])("the label %s has the key %s, whatever marks its letters carry", (label, key) => {
  expect(labelKey(label)).toBe(key);
});

it("names fields as the interface does", () => {
  expect([groupedName("documentNumber"), groupedName("sex")]).toEqual(["DOCUMENT_NUMBER", "GENDER"]);
});

import { describe, expect, it } from "vitest";
import { readNationalityWord } from "./nationality-word.ts";
import { readSexWord } from "./sex-word.ts";

describe("readSexWord", () => {
  it.each([
    ["M", "M"],
    ["F", "F"],
    ["X", "X"],
    ["f", "F"],
    ["E", "F"],
    ["P", "F"],
    ["N", "M"],
    ["H", "M"],
    ["MUJER", "F"],
    ["HOMBRE", "M"],
    ["Masculino", "M"],
    ["FEMENINO", "F"],
    ["FEMININO", "F"],
    ["VARÓN", "M"],
    ["M / M", "M"],
    ["F/F", "F"],
    ["ž/F", "F"],
    ["MUJER / FEMALE", "F"],
  ] as const)("reads %s as %s", (text, sex) => {
    expect(readSexWord(text)).toBe(sex);
  });

  it("reads H and M as hombre and mujer when the document prints these", () => {
    expect(readSexWord("H", "HM")).toBe("M");
    expect(readSexWord("M", "HM")).toBe("F");
    expect(readSexWord("MUJER", "HM")).toBe("F");
  });

  it.each([["SEXO"], ["M/F"], [""], ["MF"], ["7"], ["ORH+"]])("is undefined for %j", (text) => {
    expect(readSexWord(text)).toBeUndefined();
  });
});

describe("readNationalityWord", () => {
  it.each([
    ["CHILENA", "CHL"],
    ["PERUANA", "PER"],
    ["PERUANO", "PER"],
    ["ARGENTINA", "ARG"],
    ["Argentino", "ARG"],
    ["ECUATORIANA", "ECU"],
    ["COSTARRICENSE", "CRI"],
    ["GUATEMALTECA", "GTM"],
    ["PANAMEÑA", "PAN"],
    ["HONDUREÑA", "HND"],
    ["HONDURENA", "HND"],
    ["COLOMBIANA", "COL"],
    ["MEXICANA", "MEX"],
    ["BRASILEÑA", "BRA"],
    ["BRASILEIRO", "BRA"],
    ["ESPAÑOLA", "ESP"],
    ["VENEZOLANA", "VEN"],
    ["CUBANA", "CUB"],
    ["NICARAGÜENSE", "NIC"],
    ["SALVADOREÑA", "SLV"],
    ["HAITIANA", "HTI"],
    ["BOLIVIANA", "BOL"],
    ["PARAGUAYA", "PRY"],
    ["URUGUAYA", "URY"],
    ["DOMINICANA", "DOM"],
    ["ECU", "ECU"],
    ["C0L", "COL"],
    ["5VK", "SVK"],
    ["PERUANA / PERUVIAN", "PER"],
    ["Costa Rica", "CRI"],
    ["ECUATORlANA", "ECU"],
    ["GUATEMALTECÁ", "GTM"],
    ["HONDUREMA", "HND"],
  ])("reads %s as %s", (text, code) => {
    expect(readNationalityWord(text)).toBe(code);
  });

  it.each([["NACIONALIDAD"], ["QQQ"], [""], ["CUBAMO2"], ["PERRUNA"], ["SOLTERA"]])(
    "is undefined for %j, never a guess",
    (text) => {
      expect(readNationalityWord(text)).toBeUndefined();
    },
  );
});

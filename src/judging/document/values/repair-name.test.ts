import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairName, repairText } from "./repair-name.ts";

describe("repairName", () => {
  it.each([
    ["MariSa", "Marisa"],
    ["ŽiLina", "ŽiLina"],
    ["ROSSo", "ROSSO"],
    ["valčka", "Valčka"],
    ["žižek", "Žižek"],
    ["von Braun", "von Braun"],
    ["OfiČ", "Ofič"],
    ["CehtI", "Cehtl"],
    ["MUÑOz", "MUÑOZ"],
    ["SVidník", "Svidník"],
    ["PAULlNA", "PAULINA"],
    ["lván", "Iván"],
    ["lGNACIO", "lGNACIO"],
    ["de la CrUz", "de la Cruz"],
    ["Luis", "Luis"],
    ["ROcíO GABRIELA", "ROCÍO GABRIELA"],
    ["ROcíO GAB", "Rocío GAB"],
    ["de la CRUZ", "de la CRUZ"],
    ["María SOLÍS", "María SOLÍS"],
    ["MART1NEZ", "MARTINEZ"],
    ["Mart1n", "Martln"],
    ["R0SA", "ROSA"],
    ["Pil0", "Pilo"],
    ["PÉREZ-vACA", "PÉREZ-VACA"],
    ["D'ÁvilA", "D'ÁvilA"],
    ["0scar", "Oscar"],
    ["1van", "Ivan"],
    ["Vos", "Vos"],
    ["KOS", "KOS"],
    ["San", "San"],
    ["X", "X"],
    ["", ""],
  ])("changes %s into %s", (text, name) => {
    expect(repairName(text)).toBe(name);
  });

  it("keeps names that are all in one case", () => {
    const letters = fc.string({
      unit: fc.constantFrom(..."AÁBCDEÉFGHÍJMNÑOPQRSŠTUÚVWXYZŽ".split("")),
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(letters, (name) => {
        expect(repairName(name)).toBe(name);
        const capitalised = name[0]! + name.slice(1).toLowerCase();
        expect(repairName(capitalised)).toBe(capitalised);
      }),
    );
  });

  it("changes nothing but the case of letters, I and l, and digits inside words", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aBcDoOsSlI01 -Žž".split("")), maxLength: 14 });
    const core = (value: string): string =>
      value.toLowerCase().replaceAll(/[il1]/g, "1").replaceAll(/[o0]/g, "0");
    fc.assert(fc.property(text, (value) => core(repairName(value)) === core(value)));
  });
});

describe("repairText", () => {
  it.each([
    ["CUScO", "CUSCO"],
    ["cUSCO", "CUSCO"],
    ["SAN JOsÉ, PÉREZ ZELEDÓN", "SAN JOSÉ, PÉREZ ZELEDÓN"],
    ["CALLE MITRE 1422- ROSARIO", "CALLE MITRE 1422 - ROSARIO"],
    ["CALLE MITRE 1422 -ROSARIO", "CALLE MITRE 1422 - ROSARIO"],
    ["SAINT-DENIS", "SAINT-DENIS"],
    ["Km 5 con calle 2c, Of. 3o", "Km 5 con calle 2c, Of. 3o"],
    ["MZ. B2o LT. 5", "MZ. B2o LT. 5"],
    ["v", "v"],
    ["", ""],
  ])("changes %s into %s", (text, repaired) => {
    expect(repairText(text)).toBe(repaired);
  });
});

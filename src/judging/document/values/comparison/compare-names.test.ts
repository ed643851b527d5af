import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNameFields, compareNames, type UserName } from "./compare-names.ts";

const name = (lastName: string, firstName: string, mayBeTruncated = false): UserName => ({
  lastName,
  firstName,
  mayBeTruncated,
});

const field = (a: string, b: string) => {
  const forwards = compareNameFields(a, b);
  expect(compareNameFields(b, a).verdict).toBe(forwards.verdict);
  return forwards;
};

describe("one field of a name", () => {
  it.each([
    ["MUÑOZ", "MUNOZ"],
    ["CAÑÓN", "CANXXON"],
    ["Müller", "MUELLER"],
    ["Müller", "MUXXLLER"],
    ["Müller", "MULLER"],
    ["Müller Núñez", "MUELLER NÚÑEZ"],
    ["Jäger", "JAEGER"],
    ["Jäger", "JAGER"],
    ["Sjögren", "SJOEGREN"],
    ["Sjögren", "SJOGREN"],
    ["Åberg", "AABERG"],
    ["Åberg", "ABERG"],
    ["Sørensen", "SOERENSEN"],
    ["Sørensen", "SORENSEN"],
    ["François", "FRANCOIS"],
    ["Weiß", "WEISS"],
    ["Łukasz", "LUKASZ"],
    ["Đorđević", "DORDEVIC"],
    ["Þórsson", "THORSSON"],
    ["Žižka", "ZIZKA"],
    ["O'Neil", "ONEIL"],
    ["O’Neil", "O NEIL"],
    ["Pérez-López", "PEREZ LOPEZ"],
    ["De la Cruz", "DELACRUZ"],
    ["D'Ángelo", "DANGELO"],
    ["J. Pérez", "J PEREZ"],
    ["SOLIS<PRUEBA", "Solís Prueba"],
  ])("%s is %s", (a, b) => {
    expect(field(a, b)).toEqual({ verdict: "same", reason: "equal" });
  });

  it("with letters that each have two forms is compared at once: no combination of forms is tried twice", () => {
    const marked = "Å".repeat(80);
    expect(field(`${marked}B`, `${"A".repeat(120)}C`).verdict).toBe("differs");
    expect(field(marked, "A".repeat(120))).toEqual({ verdict: "same", reason: "equal" });
  });

  it("has its parts in any order", () => {
    expect(field("GARCIA LOPEZ", "LÓPEZ GARCÍA")).toEqual({ verdict: "same", reason: "order" });
  });

  it.each([
    ["DE LA CRUZ", "CRUZ", "particles"],
    ["PEREZ Y GOMEZ", "PEREZ GOMEZ", "particles"],
    ["GARCIA LOPEZ", "GARCIA", "fewer-parts"],
    ["PEREZ DE GOMEZ", "PEREZ", "fewer-parts"],
    ["DE LA CRUZ LOPEZ", "CRUZ", "fewer-parts"],
    ["ANA MARIA", "ANA", "fewer-parts"],
  ])("%s and %s: one leaves out what the other has (%s)", (a, b, reason) => {
    expect(field(a, b)).toEqual({ verdict: "truncated", reason });
  });

  it.each([
    ["SOLIS", "S0LIS", "look-alikes"],
    ["FLORES", "ELORES", "look-alikes"],
    ["MANUEL", "NANUEL", "look-alikes"],
    ["Žilina", "ŻILINA", "equal"],
    ["GARCIA", "GARSIA", "one-character"],
    ["GARCIA", "GARCI", "one-character"],
    ["GARCIA LOPEZ", "GARC1A LOPE2", "look-alikes"],
    ["MUELLER", "MULLER", "transliteration"],
    ["ANA", "", "missing"],
  ])("%s and %s may be the same (%s)", (a, b, reason) => {
    expect(field(a, b)).toEqual({ verdict: reason === "equal" ? "same" : "unsure", reason });
  });

  it.each([
    ["GARCIA", "LOPEZ", "other-name"],
    ["GARCIA LOPEZ", "MARTIN LOPEZ", "some-parts"],
    ["ANA MARIA", "MARIA", "some-parts"],
    ["DE LA CRUZ", "DE LA ROSA", "other-name"],
    ["ANA", "EVA", "other-name"],
  ])("%s is not %s (%s)", (a, b, reason) => {
    expect(field(a, b)).toEqual({ verdict: "differs", reason });
  });
});

describe("a truncated field", () => {
  const cut = { a: true, b: false };

  it.each([
    ["NILAVADHANANANDA CHAY", "NILAVADHANANANDA CHAYAPA DEJTHAMRONG"],
    ["NILAVADHAN CHAYAPA D K", "NILAVADHANANANDA CHAYAPA DEJTHAMRONG KRASUANG"],
    ["MARIA DE LOS ANG", "María de los Ángeles"],
    ["MUELL", "Müller"],
    ["ANA DEJ", "ANA MARIA DEJANIRA"],
  ])("%s may be the beginning of %s", (short, long) => {
    expect(compareNameFields(short, long, cut)).toMatchObject({ verdict: "truncated" });
    expect(compareNameFields(long, short, { a: false, b: true })).toMatchObject({ verdict: "truncated" });
  });

  it("is unsure when its source says that nothing was truncated", () => {
    expect(compareNameFields("MARIA ANG", "MARIA ANGELES")).toEqual({ verdict: "unsure", reason: "cut" });
  });

  it("is another name when a part begins none of the other's parts", () => {
    expect(compareNameFields("NILAVADHAN PETER", "NILAVADHANANANDA CHAYAPA", cut).verdict).toBe("differs");
    expect(compareNameFields("CHAYAPA", "NILAVADHANANANDA CHAYAPA", cut).verdict).toBe("differs");
  });
});

describe("compareNames", () => {
  it("reports the field that decided", () => {
    const printed = name("Solís Prueba", "Ana María");
    expect(compareNames(printed, name("SOLIS PRUEBA", "ANA MARIA"))).toEqual({
      verdict: "same",
      reason: "equal",
    });
    expect(compareNames(printed, name("SOLIS", "ANA MARIA"))).toEqual({
      verdict: "truncated",
      reason: "fewer-parts",
      field: "lastName",
    });
    expect(compareNames(printed, name("SOLIS PRUEBA", "EVA"))).toEqual({
      verdict: "differs",
      reason: "other-name",
      field: "firstName",
    });
    expect(compareNames(printed, name("GARCIA LOPEZ", "EVA"))).toEqual({
      verdict: "differs",
      reason: "other-name",
      field: "both",
    });
    expect(compareNames(printed, name("SOLIS LOPEZ", "EVA"))).toMatchObject({
      reason: "some-parts",
      field: "both",
    });
  });

  it("ignores where the surnames end and which name comes first", () => {
    const printed = name("Solís Prueba", "Ana María");
    expect(compareNames(printed, name("SOLIS", "PRUEBA ANA MARIA"))).toEqual({
      verdict: "same",
      reason: "order",
    });
    expect(compareNames(printed, name("Ana María", "Solís Prueba"))).toEqual({
      verdict: "same",
      reason: "order",
    });
    const whole = name("", "ANAMARIA SOLIS PRUEBA");
    expect(compareNames(printed, whole)).toEqual({ verdict: "same", reason: "order" });
    expect(compareNames(whole, printed)).toEqual({ verdict: "same", reason: "order" });
  });

  it("treats an MRZ that is full to the last letter as possibly truncated", () => {
    const mrz = name("NILAVADHANANANDA", "CHAYAPA DEJ", true);
    const printed = name("Nilavadhanananda", "Chayapa Dejthamrong Krasuang");
    expect(compareNames(mrz, printed)).toEqual({ verdict: "truncated", reason: "cut", field: "firstName" });
    expect(compareNames(printed, mrz)).toEqual({ verdict: "truncated", reason: "cut", field: "firstName" });
  });

  it("is symmetric, and every name equals itself", () => {
    const word = fc.string({ unit: fc.constantFrom(...Array.from("ABÑÜ' -É<Z")), maxLength: 12 });
    const person = fc.record({ lastName: word, firstName: word, mayBeTruncated: fc.boolean() });
    fc.assert(
      fc.property(person, person, (a, b) => {
        expect(compareNames(a, b).verdict).toBe(compareNames(b, a).verdict);
        const hasLetters = [a.lastName, a.firstName].every((text) => /[A-ZÑÜÉ]/.test(text));
        fc.pre(hasLetters);
        expect(compareNames(a, a)).toEqual({ verdict: "same", reason: "equal" });
      }),
    );
  });

  it("never throws, and bounds its work", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.string({ unit: "binary", maxLength: 400 }),
        (a, b) => {
          expect(() => compareNames(name(a, b), name(b, a, true))).not.toThrow();
        },
      ),
    );
    // Only the beginning of a text is compared: a full comparison of these would take minutes.
    const long = compareNames(name("Ü".repeat(1_000_000), "Ñ"), name("UE".repeat(1_000_000), "N"));
    expect(long.verdict).not.toBe("same");
  });
});

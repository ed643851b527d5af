import { describe, expect, it } from "vitest";
import { sampleCertificate } from "#support/clearing/sample-certificate";
import { sheetOf, spanishRate, spanishShare, spanishTime } from "./sheet.ts";

const rowsOf = (change: object = {}) =>
  new Map(
    sheetOf({
      ...sampleCertificate,
      content: { ...sampleCertificate.content, ...change },
    }).sections.flatMap(({ rows }) => rows),
  );

describe("the words of a certificate", () => {
  it("show a value that was not read, or is not kept, as such", () => {
    const rows = rowsOf({ documentDecidedAt: null });
    expect(rows.get("Número de identidad")).toBe("No se leyó en el documento");
    expect(rows.get("Documento aprobado el")).toBe("Ya no se conserva");
    expect(rows.get("Documento")).toBe("Pasaporte, CHL");
  });

  it("say of a verification with a test key that it proves nothing, and of no other", () => {
    const headOf = (environment: "live" | "test") => {
      const content = { ...sampleCertificate.content, environment };
      const { title, statement } = sheetOf({ ...sampleCertificate, content });
      return `${title}. ${statement}`;
    };
    expect(headOf("test")).toMatch(/prueba, sin valor.*No acredita/);
    expect(headOf("test")).not.toContain("Identidad verificada");
    expect(headOf("live")).toMatch(/Identidad verificada el 21-11-2026/);
    expect(headOf("live")).not.toContain("prueba");
  });

  it("name no person after the retention, and say why", () => {
    const content = { ...sampleCertificate.content, person: null, document: null, personIsKept: false };
    const sheet = sheetOf({ ...sampleCertificate, content });
    expect(sheet.sections[0]).toMatchObject({
      rows: [],
      note: expect.stringContaining("ya no se conservan"),
    });
    expect(JSON.stringify(sheet)).not.toContain("ERIKSSON");
  });

  it("state what joins person and document", () => {
    expect(rowsOf().get("Persona y documento")).toContain("retrato");
    expect(rowsOf({ samePersonBy: "image" }).get("Persona y documento")).toContain("imagen");
  });

  it("leave out a rate that is unknown", () => {
    expect(rowsOf({ fmrAtScore: null }).has("Coincidencia falsa")).toBe(false);
  });

  it.each([
    [0.99214232, "99,21 %"],
    [0.99999, "99,99 %"],
    [1, "100,00 %"],
    [0, "0,00 %"],
  ])("round a share of %f down to %s", (share, text) => {
    expect(spanishShare(share)).toBe(text);
  });

  it.each([
    [0.000001, "1 en 1.000.000"],
    [0.0001, "1 en 10.000"],
    [0.01, "1 en 100"],
    [0.00003, "1 en 33.333"],
  ])("write a rate of %f as %s", (rate, text) => {
    expect(spanishRate(rate)).toBe(text);
  });

  it("write a time in UTC, day first", () => {
    expect(spanishTime("2026-11-21T09:30:00.000Z")).toBe("21-11-2026 09:30:00 UTC");
  });
});

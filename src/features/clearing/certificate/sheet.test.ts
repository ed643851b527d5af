import { describe, expect, it } from "vitest";
import { assuranceLevels } from "#contract/liveness";
import { portraitEvidences } from "#contract/portrait-evidence";
import { sampleCertificate } from "#support/clearing/sample-certificate";
import { sheetOf, spanishNumber, spanishShare, spanishTime } from "./sheet.ts";

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
    const byImage = rowsOf({ samePersonBy: "image", documentComparison: null });
    expect(byImage.get("Persona y documento")).toContain("imagen de este mismo documento");
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
    [7_255_541, "7.255.541"],
    [44_850, "44.850"],
    [700, "700"],
  ])("write the number %d as %s", (number, text) => {
    expect(spanishNumber(number)).toBe(text);
  });

  it.each([
    [1e-4, "10.000"],
    [1 / 700, "700"],
  ])("state the counted rates of %f and of the worst group, with the number of pairs", (rate, oneIn) => {
    expect(rowsOf({ countedFalseMatchRate: rate }).get("Coincidencia falsa")).toBe(
      `Menos de 1 en ${oneIn}, contado sobre 7.255.541 pares; en el grupo con más coincidencias menos de 1 en 100, contado sobre 44.850 pares`,
    );
  });

  it("state the counted rates of portrait and face, beside those of the identity call", () => {
    expect(rowsOf().get("Coincidencia falsa del retrato")).toMatch(/^Menos de 1 en 700, contado sobre/);
    expect(rowsOf().get("Persona y documento")).toContain("son de la llamada de identidad");
    expect(rowsOf({ documentComparison: null }).get("Coincidencia falsa del retrato")).toBe("No consta");
    const byImage = rowsOf({ samePersonBy: "image", documentComparison: null });
    expect(byImage.has("Coincidencia falsa del retrato")).toBe(false);
    expect(byImage.get("Persona y documento")).not.toContain("llamada de identidad");
  });

  it("state no rate where none was counted", () => {
    const none = {
      countedFalseMatchRate: null,
      countedPairs: null,
      countedFalseMatchRateWorstGroup: null,
      countedPairsWorstGroup: null,
    };
    expect(rowsOf(none).get("Coincidencia falsa")).toBe("Sin recuento para esta similitud");
  });

  it("write a time of Chile and in UTC, day first, in summer and in winter", () => {
    expect(spanishTime("2026-11-21T09:30:00.000Z")).toBe("21-11-2026 06:30:00 hora de Chile (09:30:00 UTC)");
    expect(spanishTime("2026-07-21T02:30:00.000Z")).toBe("20-07-2026 22:30:00 hora de Chile (02:30:00 UTC)");
  });

  it("write a RUN with dots and dash, and another number as it was read", () => {
    const person = (idNumber: string, country: string) =>
      rowsOf({
        person: { ...sampleCertificate.content.person, idNumber },
        document: { ...sampleCertificate.content.document, country },
      });
    expect(person("153447292", "CHL").get("RUN")).toBe("15.344.729-2");
    expect(person("153447293", "CHL").get("RUN")).toBe("153447293");
    expect(person("153447292", "PER").get("Número de identidad")).toBe("153447292");
  });

  it.each([
    [9, "Quedan a lo más 9 aperturas."],
    [1, "Queda a lo más 1 apertura."],
    [0, "Esta fue su última apertura."],
  ])("tell how many openings are left: %d", (openingsLeft, text) => {
    const content = { ...sampleCertificate.content, openingsLeft };
    expect(sheetOf({ ...sampleCertificate, content }).linkNote).toContain(text);
  });

  it("state in words what shows that the portrait belongs to the document, and that nothing does", () => {
    const stated = (portraitEvidence: string | null) =>
      rowsOf({ portraitEvidence }).get("Retrato del documento");
    expect(stated("unproven")).toBe("Nada demuestra que el retrato pertenezca al documento");
    // The evidence may only be no longer kept.
    expect(stated(null)).toMatch(/^No consta/);
    expect(new Set(portraitEvidences.map(stated)).size).toBe(portraitEvidences.length);
    expect(stated("print-consistent")).toContain("Una buena falsificación también");
  });

  it("state in words what the liveness rests on", () => {
    const stated = (livenessLevel: string | null) => rowsOf({ livenessLevel }).get("En qué se basa");
    expect(stated(null)).toBe("No consta");
    expect(new Set(assuranceLevels.map(stated)).size).toBe(assuranceLevels.length);
    expect(stated("advisory")).toContain("una sola imagen");
  });

  it("put the hashes after everything that a clerk reads", () => {
    const { sections, annex } = sheetOf(sampleCertificate);
    expect(annex.title).toBe("Integridad");
    expect(JSON.stringify(sections)).not.toContain("SHA-256");
  });
});

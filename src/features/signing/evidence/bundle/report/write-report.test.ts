import { describe, expect, it } from "vitest";
import { sampleContent } from "#support/signing/evidence/bundle/sample-content";
import { openPdf } from "../../../pdf/open-pdf.ts";
import { listedMax, reportOf } from "./report.ts";
import { writeReport } from "./write-report.ts";

const whole = sampleContent();
const textOf = (pdf: Uint8Array): string => Buffer.from(pdf).toString("latin1");
const attachment = {
  name: "a.json",
  mediaType: "application/json",
  description: "A",
  bytes: new Uint8Array(3),
};

describe("the report as a file", () => {
  it("is PDF/A-3b with embedded fonts alone, and reads without a repair", async () => {
    const pdf = await writeReport(whole, [attachment]);
    const text = textOf(pdf);
    expect(text).toMatch(/<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B</u);
    expect(text.match(/\/BaseFont \/\S+/gu)?.every((font) => font.includes("DejaVuSans"))).toBe(true);
    expect(text).toContain("/OutputIntents");
    expect(text).toMatch(/\/AFRelationship \/Data/u);
    expect(text).toMatch(/\/ModDate \(D:2026/u);
    expect(await openPdf(pdf)).toMatchObject({
      repaired: false,
      isEncrypted: false,
      certification: undefined,
    });
  });

  it("takes no text of a caller into its metadata, and no sign that moves or hides text into its pages", async () => {
    const operation = {
      ...whole.operation,
      id: '</rdf:li>&<x "\u202e\u0007\n',
      customer: "\u{1F600}".repeat(9),
    };
    const pdf = await writeReport(sampleContent({ operation }), []);
    expect(textOf(pdf)).not.toContain("</rdf:li>&");
    expect((await openPdf(pdf)).pageCount).toBe(2);
  });

  it("stays short for a long operation, and names how much is in the attachment", async () => {
    const call = whole.transactions[0]!;
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...call, id: `t-${index}` }));
    const lines = (count: number) => JSON.stringify(reportOf(sampleContent({ transactions: many(count) })));
    expect(lines(listedMax)).not.toContain("more: evidence.json");
    expect(lines(listedMax + 1)).toContain("1 more: evidence.json");
    const pdf = await writeReport(sampleContent({ transactions: many(500) }), []);
    expect((await openPdf(pdf)).pageCount).toBeLessThan(15);
  });
});

describe("the report's words", () => {
  const text = (change: Parameters<typeof sampleContent>[0] = {}) =>
    JSON.stringify(reportOf(sampleContent(change)));

  it("state results in numbers and words, reasons, figures and models, and mask the person", () => {
    for (const stated of [
      '["Face comparison","3, Positive"]',
      '["Passive liveness","17, NoLive"]',
      '["Result","9102, Declined"]',
      '["Reason","106, Known fraud"]',
      '["Comparison score","0.731234"]',
      '["Cues (weights)","moire 2.1, screenEdge 2.1"]',
      '["Findings that do not hold","expired (106)"]',
      '["Person","n•••7 (the caller\'s own name, masked here)"]',
      '["Organisation","Banco Español de Año Nuevo, environment test"]',
    ])
      expect(text()).toContain(stated);
    expect(text()).not.toContain("niña-ñandú-77");
  });

  it("state faults, a removed record and a cut list where there are any", () => {
    expect(text()).not.toContain("Faults found");
    expect(text({ faults: [{ place: "chain, entry 3", finding: "entry 3 is missing" }] })).toContain(
      '["chain, entry 3","entry 3 is missing"]',
    );
    const removed = whole.transactions.map((one) => ({ ...one, record: null }));
    expect(text({ transactions: removed })).toContain("removed at the end of its retention");
    expect(text({ isWhole: false })).toContain("is cut");
  });
});

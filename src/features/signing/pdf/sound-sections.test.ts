import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { makePdf } from "#support/signing/pdf/make-pdf";
import { makeInflateBudget } from "./inflate.ts";
import { undoPngPredictor } from "./predictor.ts";
import type { Sections } from "./reader/read-sections.ts";
import { readSoundSections } from "./sound-sections.ts";
import { makeSteps } from "./steps.ts";

const read = (bytes: Uint8Array, sectionsMax = 10) =>
  readSoundSections({
    bytes,
    budget: makeInflateBudget(1_000_000),
    steps: makeSteps(10_000_000),
    limits: { objectsMax: 1000, sectionsMax },
  });

const startOf = ({ starts }: Sections): number => starts[0] ?? Number.NaN;

/** Appends a section with one more version of object 3. */
const append = (bytes: Buffer, prev: number, more = ""): Buffer => {
  const at = bytes.length;
  const object = "3 0 obj\n<</Type/Font/Newer true>>\nendobj\n";
  const table = `xref\n3 1\n${String(at).padStart(10, "0")} 00000 n \n`;
  const tail = `trailer\n<</Size 92/Root 1 0 R/Prev ${prev}${more}>>\nstartxref\n${at + object.length}\n%%EOF\n`;
  return Buffer.concat([bytes, Buffer.from(object + table + tail)]);
};

test("a newer table wins over the stream of an older hybrid section", () => {
  const hybrid = makePdf({ xref: "hybrid", pages: 2 });
  const { sections: before } = read(hybrid);
  const { sections: after } = read(append(hybrid, startOf(before)));
  expect(before.trailer.has("XRefStm")).toBe(true);
  expect(after.places.get(3)).toEqual({ kind: "offset", at: hybrid.length, generation: 0 });
  expect(after.places.get(10)).toEqual(before.places.get(10));
  expect(after.starts).toHaveLength(2);
});

test("object numbers begin above Size and every entry", () => {
  expect(read(makePdf()).size).toBe(92);
  expect(read(Buffer.from(makePdf().toString("latin1").replace("/Size 92", "/Size 3"), "latin1")).size).toBe(
    12,
  );
  expect(
    read(Buffer.from(makePdf().toString("latin1").replace("/Size 92", "/Size 500"), "latin1")).size,
  ).toBe(500);
});

test("a loop, an offset beyond the end and a missing catalogue are damage", () => {
  const bytes = makePdf();
  const appended = append(bytes, startOf(read(bytes).sections));
  const looped = append(bytes, appended.lastIndexOf("xref\n3 1"));
  expect(() => read(looped)).toThrow("loop");
  expect(() => read(append(bytes, 99_999_999))).toThrow("beyond the end");
  expect(() => read(Buffer.from(bytes.toString("latin1").replace("/Root", "/Ro0t"), "latin1"))).toThrow(
    "catalogue",
  );
});

test("sections are limited", () => {
  const bytes = makePdf();
  const two = append(bytes, startOf(read(bytes).sections));
  expect(read(two, 2).sections.starts).toHaveLength(2);
  expect(() => read(two, 1)).toThrow(expect.objectContaining({ facts: { sections: 2, sectionsMax: 1 } }));
});

test("every predictor of PNG is undone", () => {
  const rows = Buffer.from(
    [
      [0, 1, 2, 3],
      [1, 1, 1, 1],
      [2, 1, 1, 1],
      [3, 2, 2, 2],
      [4, 1, 1, 1],
    ].flat(),
  );
  expect([...undoPngPredictor(rows, 3)]).toEqual([1, 2, 3, 1, 2, 3, 2, 3, 4, 3, 5, 6, 4, 6, 7]);
  expect(() => undoPngPredictor(Buffer.from([9, 1]), 1)).toThrow("predictor");
});

test("a compressed cross-reference is inflated within the budget", () => {
  const bytes = makePdf({ xref: "stream" });
  const bomb = deflateSync(Buffer.alloc(2_000_000)).toString("latin1");
  const text = bytes
    .toString("latin1")
    .replace(
      /\/Length \d+>>\nstream\n[^]*?\nendstream\nendobj\nstartxref/,
      `/Length ${bomb.length}>>\nstream\n${bomb}\nendstream\nendobj\nstartxref`,
    );
  expect(read(bytes).sections.isStream).toBe(true);
  expect(() => read(Buffer.from(text, "latin1"))).toThrow();
});

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { readTrueType } from "./true-type.ts";

const file = readFileSync(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"));
const font = readTrueType(file);
const glyphOf = (char: string): number => font.glyphOf(char.codePointAt(0) ?? 0);

/** A table of a font file, found anew. */
const table = (bytes: Buffer, tag: string): Buffer => {
  const at = bytes.indexOf(tag, 12, "latin1");
  const from = bytes.readUInt32BE(at + 8);
  return bytes.subarray(from, from + bytes.readUInt32BE(at + 12));
};

/** The outline of a glyph, without the bytes that fill it up. */
const outline = (bytes: Buffer, glyph: number): string => {
  const [loca, glyf] = [table(bytes, "loca"), table(bytes, "glyf")];
  return glyf
    .subarray(loca.readUInt32BE(4 * glyph), loca.readUInt32BE(4 * glyph + 4))
    .toString("hex")
    .replace(/(00)+$/, "");
};

test("names, sizes and glyphs are those of the font", () => {
  expect(font.name).toBe("DejaVuSans");
  expect([font.ascent, font.descent, font.isFixedPitch, font.italicAngle]).toEqual([928, -236, false, 0]);
  expect(["A", "ñ", " "].map((char) => font.widthOf(glyphOf(char)))).toEqual([684, 634, 318]);
  expect([glyphOf("山"), glyphOf("\u{10ffff}")]).toEqual([0, 0]);
  expect(glyphOf("A")).not.toBe(glyphOf("B"));
});

test("a subset has the outlines of its glyphs and of their parts, and no others", () => {
  const subset = font.subset([glyphOf("Ñ"), glyphOf("i")]);
  for (const char of ["Ñ", "N", "i"]) {
    expect(outline(subset, glyphOf(char))).toBe(outline(file, glyphOf(char)));
    expect(outline(subset, glyphOf(char))).not.toBe("");
  }
  for (const char of ["A", "z", "ü"]) expect(outline(subset, glyphOf(char))).toBe("");
  const metrics = table(subset, "hmtx");
  expect(metrics.readUInt16BE(4 * glyphOf("Ñ"))).toBe(table(file, "hmtx").readUInt16BE(4 * glyphOf("Ñ")));
});

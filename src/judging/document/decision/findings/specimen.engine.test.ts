import { expect, it } from "vitest";
import { openPhotographPassport } from "#support/document/passport-photographs";
import { openReader } from "#support/document/reader";
import { caseOf, mrzOf, passportLines, readingOf } from "#support/document/reading";
import { openReadings } from "#support/document/recorded-readings";
import { specimenMarks, writeMark } from "#support/document/specimen-marks";
import { specimenRule } from "./specimen.ts";

const patientMs = 600_000;

/** What a validation reads, but for the MRZ and the barcodes. */
const task = { mrz: "none", barcodes: false, attacks: true, upright: false } as const;

const { imaging, readSide } = await openReader();
const photograph = await openPhotographPassport(imaging);
const measured = openReadings(import.meta.url);

const holds = async (name: string, image: Parameters<typeof photograph>[0]) => {
  const side = await measured(name, async () => readSide(await photograph(image), task));
  return specimenRule(caseOf(readingOf({ ...side, mrz: mrzOf(passportLines) })))[0]?.holds;
};

it(
  "finds at least 11 of 12 specimen words across a passport: at any angle, outlined, pale, in part",
  async () => {
    const missed: string[] = [];
    for (const [name, mark] of Object.entries(specimenMarks)) {
      const found = await holds(name, { alter: (page, outlines) => writeMark(page, outlines, mark) });
      if (found !== true) missed.push(name);
    }
    expect(missed.length, missed.join(", ")).toBeLessThanOrEqual(1);
  },
  patientMs,
);

it.each([
  ["a genuine passport", {}],
  ["one on its side", { rotations: 1 }],
  ["a compressed one", { quality: 72 }],
  ["a small one", { size: [960, 720] }],
] as const)(
  "finds none on %s",
  async (name, image) => expect(await holds(name, image)).toBe(false),
  patientMs,
);

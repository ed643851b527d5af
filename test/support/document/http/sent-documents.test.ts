import { expect, it } from "vitest";
import type { DocumentReading, SideReading } from "#judging/document/reading/reading";
import { readRecording } from "../../networks/recorded-measurements.ts";
import { sentRecord } from "./sent-documents.ts";

const { measurements } = readRecording<DocumentReading>(sentRecord.file);
const nameOf = (start: string): string => [...measurements.keys()].find((name) => name.startsWith(start))!;
const card = measurements.get(nameOf("the front of an Ecuadorian card, "))!;
const passport = measurements.get(nameOf("a photographed passport"))!;

const isSame = (one: DocumentReading, front: Partial<SideReading>): boolean | undefined =>
  sentRecord.isSame?.(one, { ...structuredClone(one), front: { ...one.front, ...front } });

it("readings of sent documents are the same where they give the same fields and decisions", () => {
  expect(isSame(card, {})).toBe(true);
  expect(isSame(passport, {})).toBe(true);
  expect(isSame(card, { lines: [] })).toBe(false);
  expect(isSame(passport, { mrz: { ...passport.front.mrz!, accepted: false, clear: false } })).toBe(false);
  expect(isSame(passport, { quality: { ...passport.front.quality, width: 100, height: 80 } })).toBe(false);
  expect(sentRecord.isSame?.(passport, passport.front)).toBe(false);
});

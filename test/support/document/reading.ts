import { type CollectFields, makeMergeSources } from "#judging/document/decision/fields";
import type { DocumentCase } from "#judging/document/decision/finding";
import { readDocumentModels } from "#judging/document/decision/models/read-models";
import { type DocumentPolicy, defaultDocumentPolicy } from "#judging/document/decision/policy";
import { parseMrz } from "#judging/document/reading/mrz/parse";
import type { DocumentReading, MrzSummary, SideReading } from "#judging/document/reading/reading";

/** Merges the sources of a reading with every model of the catalogue. */
export const mergeSources = makeMergeSources(readDocumentModels());

/** The same in this thread, in place of an inference thread. */
export const collectFields: CollectFields = async (sources, now) => mergeSources(sources, now);

/** Our own example lines (9303-4 layout, check digits computed): a passport of 2025 to 2035. */
export const passportLines = [
  "P<CHLSOLIS<PRUEBA<<ANA<MARIA<<<<<<<<<<<<<<<<",
  "F123456789CHL9001011F3501014<<<<<<<<<<<<<<<8",
] as const;

/** The MRZ of clearly read lines, as the reader reports it. */
export const mrzOf = (lines: readonly string[], change: Partial<MrzSummary> = {}): MrzSummary => {
  const parsed = parseMrz(lines, "2026-11-21");
  if (parsed === undefined) {
    throw new Error("These lines have no known format");
  }
  const accepted = parsed.checksHold && parsed.statesKnown;
  return { format: parsed.format, lines, accepted, clear: true, weakestMargin: 6, ...change };
};

/** Corners of a card that lies straight in its photograph. */
export const corners = [
  [200, 200],
  [1700, 200],
  [1700, 1250],
  [200, 1250],
] as const;

/** A good photograph of a card with a portrait and nothing else. */
export const sideOf = (change: Partial<SideReading> = {}): SideReading => ({
  file: { format: "jpeg", bytes: 400_000, width: 1920, height: 1440, hasExif: false, jpegQuality: 90 },
  sha256: "ab".repeat(32),
  quality: {
    width: 1920,
    height: 1440,
    sharpness: 0.9,
    overexposedShare: 0.01,
    brightness: 150,
    jpegQuality: 90,
  },
  card: { corners, score: 1.2, outsideShare: 0, marginShare: 0.12, longSidePx: 1500, shortSidePx: 1050 },
  rotations: 0,
  rotationKnownBy: "mrz",
  barcodes: [],
  lines: [],
  faces: 1,
  portrait: {
    jpeg: new Uint8Array([0xff, 0xd8]),
    score: 0.98,
    face: { x: 100, y: 200, width: 200, height: 220 },
    area: [
      [220, 320],
      [620, 320],
      [620, 780],
      [220, 780],
    ],
  },
  ...change,
});

export const readingOf = (front: SideReading, back?: SideReading): DocumentReading => ({
  front,
  ...(back === undefined ? {} : { back }),
  swapped: false,
  ms: 200,
});

export const now = new Date("2026-11-21T12:00:00Z");

/** A case under the default policy: a Chilean passport unless said otherwise. */
export const caseOf = (
  reading: DocumentReading,
  declared: DocumentCase["declared"] = { country: "CHL", type: "PASSPORT" },
  policy: Partial<DocumentPolicy> = {},
): DocumentCase => ({
  reading,
  fields: mergeSources(reading, now),
  history: {},
  declared,
  now,
  policy: { ...defaultDocumentPolicy, ...policy },
});

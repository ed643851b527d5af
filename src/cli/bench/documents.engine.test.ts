import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawDocuments } from "#evaluation/documents/drawn-documents";
import { summariseDocuments } from "#evaluation/documents/measure-reading";
import { judgeMrz } from "#judging/document/reading/mrz/judge-mrz";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { progressInto } from "#support/cli/progress-into";
import { measureList, readDocumentsList } from "../kit/measuring/documents-list.ts";
import { mrzLinesOf, openTesseract, phrasesOf } from "./tesseract.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

describe("the documents of the benchmark", () => {
  it("are drawn with valid MRZs, and tesseract.js reads part of their text without a network connection", async () => {
    const list = await readDocumentsList(
      await drawDocuments(makeImaging({ limits: defaultImagingLimits }), folder, 2),
    );
    expect(list.mrzRegions.map(({ truth }) => judgeMrz(truth, "2026-06-30").isValid)).toEqual([true, true]);
    const peer = await openTesseract();
    try {
      const report = await measureList(
        { ...list, mrzRegions: list.mrzRegions.slice(0, 1), fields: list.fields.slice(0, 1) },
        {
          read: async (bytes) => ({ lines: mrzLinesOf(await peer.readLines(bytes)), accepted: false }),
          readPrinted: async (bytes) => phrasesOf(await peer.readLines(bytes)),
          summarise: summariseDocuments,
          progress: progressInto([]),
        },
      );
      expect(report).toMatchObject({ pictures: 2, mrz: { documents: 1 }, fields: { n: 4 } });
      expect(report.mrz.characterAccuracy).toBeGreaterThan(0.3);
    } finally {
      await peer.close();
    }
  }, 120_000);
});

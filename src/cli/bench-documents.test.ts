import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { summariseDocuments } from "../document/measure.ts";
import { judgeMrz } from "../document/mrz/judge-mrz.ts";
import { makeImaging } from "../imaging/imaging.ts";
import { defaultImagingLimits } from "../imaging/limits.ts";
import { drawDocuments } from "./drawn-documents.ts";
import { measureList, readDocumentsList } from "./measure-documents.ts";
import { openTesseract, phrasesOf, zoneLinesOf } from "./tesseract.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-bench-"));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

describe("the documents of the benchmark", () => {
  it("are drawn with zones that hold, and tesseract.js reads some of what they say, without a network", async () => {
    const list = await readDocumentsList(
      await drawDocuments(makeImaging({ limits: defaultImagingLimits }), folder, 2),
    );
    expect(list.zones.map(({ truth }) => judgeMrz(truth, "2026-06-30").isValid)).toEqual([true, true]);
    const peer = await openTesseract();
    try {
      const report = await measureList(
        { ...list, zones: list.zones.slice(0, 1), fields: list.fields.slice(0, 1) },
        {
          read: async (bytes) => ({ lines: zoneLinesOf(await peer.readLines(bytes)), accepted: false }),
          readPrinted: async (bytes) => phrasesOf(await peer.readLines(bytes)),
          summarise: summariseDocuments,
          progress: () => undefined,
        },
      );
      expect(report).toMatchObject({ pictures: 2, mrz: { documents: 1 }, fields: { n: 4 } });
      expect(report.mrz.characterAccuracy).toBeGreaterThan(0.3);
    } finally {
      await peer.close();
    }
  }, 120_000);
});

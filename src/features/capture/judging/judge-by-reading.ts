import type { DocumentEngine } from "#judging/document/reading/engine";
import type { JudgeDocumentImage } from "./capture-judgement.ts";
import { defaultDocumentImagePolicy, judgeDocumentImage } from "./judge-document-image.ts";

/** Judges an image of a document by its reading. */
export const makeJudgeDocument =
  (engine: DocumentEngine): JudgeDocumentImage =>
  async (image, { side, type }, signal) => {
    const reading = await engine.read({ front: image }, { ...(type !== undefined && { type }) }, signal);
    const { quality, card, mrz, barcodes, faces, lines } = reading.front;
    const guidance = judgeDocumentImage(reading.front, side, defaultDocumentImagePolicy);
    return {
      result: guidance.length === 0 ? "pass" : "again",
      ...(guidance[0] && { reason: guidance[0] }),
      guidance,
      measurements: {
        quality: { ...quality, jpegQuality: quality.jpegQuality ?? null },
        card:
          card === undefined
            ? null
            : { score: card.score, outsideShare: card.outsideShare, longSidePx: card.longSidePx },
        mrz: mrz?.format ?? null,
        barcodes: barcodes.length,
        faces,
        lines: lines.length,
      },
      models: engine.models,
      policyVersion: defaultDocumentImagePolicy.version,
    };
  };

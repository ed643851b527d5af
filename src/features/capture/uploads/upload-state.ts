/** The moves of uploads within a session: pure. */
import type { CaptureSource, CaptureStepName, DocumentSide } from "#contract/capture";
import { Failure } from "#contract/failure";
import type {
  CaptureContent,
  CaptureUpload,
  Holder,
  StoredObject,
  UploadAnswer,
} from "../capture-session.ts";
import type { CapturePolicy } from "../policy.ts";
import { requireConsent, requirePage, requireStep } from "../session-state.ts";
import { requireChallenge } from "./challenge-state.ts";

/** What a page announces. */
export type Announcement = {
  readonly step: CaptureStepName;
  readonly side?: DocumentSide | undefined;
  readonly bytes: number;
  readonly sha256: string;
  readonly source: CaptureSource;
};

/** The upload of this id. Fails with not_found. */
export const getUpload = ({ uploads }: CaptureContent, id: string): CaptureUpload => {
  const upload = uploads.find((one) => one.id === id);
  if (upload === undefined) throw new Failure("not_found");
  return upload;
};

/** Checks what every step of an upload needs, up to its judgement. */
export const requireCapture = (
  content: CaptureContent,
  holder: Holder,
  { step, side }: Pick<Announcement, "step" | "side">,
  now: Date,
): void => {
  const { thumbprint } = requirePage(content, holder);
  requireConsent(content);
  requireStep(content, step, side);
  if (step === "face") requireChallenge(content, thumbprint, now);
};

/** Begins an upload. The same announcement again is the same upload, as long as it is not judged. */
export const beginUpload = (
  content: CaptureContent,
  { holder, id }: { readonly holder: Holder; readonly id: string },
  announced: Announcement,
  { policy, now }: { readonly policy: Pick<CapturePolicy, "uploadsMax">; readonly now: Date },
): { readonly content: CaptureContent; readonly upload: CaptureUpload } => {
  requireCapture(content, holder, announced, now);
  const same = content.uploads.find(
    (one) =>
      one.answer === undefined &&
      one.sha256 === announced.sha256 &&
      one.bytes === announced.bytes &&
      one.step === announced.step &&
      one.side === announced.side &&
      one.holder === holder,
  );
  if (same !== undefined) return { content, upload: same };
  if (content.begun >= policy.uploadsMax) throw new Failure("capture_uploads_exhausted");
  const { side, source, ...facts } = announced;
  const upload = {
    ...facts,
    id,
    holder,
    // A telephone that was handed the capture says so, whatever its page states.
    source: holder === "handoff" && source === "camera" ? ("handoff" as const) : source,
    ...(announced.step === "document" && side !== undefined && { side }),
    at: now.getTime(),
    offset: 0,
    pieces: [],
  };
  // A new upload of a step replaces those that were not finished: their pieces are of no use any more.
  const kept = content.uploads.filter(
    (one) => one.answer !== undefined || one.step !== announced.step || isJudging(one, now),
  );
  return { content: { ...content, begun: content.begun + 1, uploads: [...kept, upload] }, upload };
};

const isJudging = ({ judging }: CaptureUpload, now: Date): boolean =>
  judging !== undefined && judging.until > now.getTime();

/** What a piece means: it is new, or the service has it already. */
export type PiecePlace = "next" | "known";

/** Judges the place of a piece. A gap, and a piece over the end, fail with capture_piece_refused. */
export const judgePiece = (upload: CaptureUpload, offset: number, bytes: number): PiecePlace => {
  if (offset < upload.offset && offset + bytes <= upload.offset) return "known";
  if (offset === upload.offset && bytes > 0 && offset + bytes <= upload.bytes) return "next";
  throw new Failure("capture_piece_refused", { offset: upload.offset });
};

export const addPiece = (content: CaptureContent, id: string, piece: StoredObject): CaptureContent =>
  changeUpload(content, id, (upload) => ({
    ...upload,
    offset: upload.offset + piece.bytes,
    pieces: [...upload.pieces, piece],
  }));

/**
 * Reserves an upload for one judgement, and marks the challenge as used by it. The same upload may be judged
 * again after its judgement broke: the challenge stays its own.
 */
export const startJudging = (
  content: CaptureContent,
  { holder, id }: { readonly holder: Holder; readonly id: string },
  { policy, now }: { readonly policy: Pick<CapturePolicy, "judgingMax" | "judgingMs">; readonly now: Date },
): CaptureContent => {
  const upload = getUpload(content, id);
  const { thumbprint } = requirePage(content, holder);
  requireConsent(content);
  requireStep(content, upload.step, upload.side);
  if (upload.offset < upload.bytes) throw new Failure("capture_upload_incomplete", { offset: upload.offset });
  if (upload.step === "face") requireChallenge(content, thumbprint, now, id);
  if (isJudging(upload, now)) {
    const waitMs = (upload.judging?.until ?? 0) - now.getTime();
    throw new Failure("capture_judging", { retryAfterSeconds: Math.min(5, Math.ceil(waitMs / 1000)) });
  }
  const times = (upload.judging?.times ?? 0) + 1;
  if (times > policy.judgingMax) throw new Failure("capture_upload_damaged");
  const judging = { until: now.getTime() + policy.judgingMs, times };
  const marked =
    upload.step === "face" && content.challenge !== undefined
      ? { ...content, challenge: { ...content.challenge, usedBy: id } }
      : content;
  return changeUpload(marked, id, (one) => ({ ...one, judging }));
};

/** Ends a judgement that broke: the upload may be judged again. */
export const releaseJudging = (content: CaptureContent, id: string): CaptureContent =>
  changeUpload(content, id, (upload) => ({
    ...upload,
    ...(upload.judging && { judging: { ...upload.judging, until: 0 } }),
  }));

/** Drops an upload whose bytes are of no use. */
export const dropUpload = (content: CaptureContent, id: string): CaptureContent => ({
  ...content,
  uploads: content.uploads.filter((upload) => upload.id !== id),
});

/** The upload with its answer; its pieces are not needed any more. */
export const answerUpload = (content: CaptureContent, id: string, answer: UploadAnswer): CaptureContent =>
  changeUpload(content, id, (upload) => {
    const { judging: _judging, ...settled } = upload;
    return { ...settled, pieces: [], answer };
  });

const changeUpload = (
  content: CaptureContent,
  id: string,
  change: (upload: CaptureUpload) => CaptureUpload,
): CaptureContent => ({
  ...content,
  uploads: content.uploads.map((upload) => (upload.id === id ? change(upload) : upload)),
});

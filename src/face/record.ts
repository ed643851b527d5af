import type { Json, TokenUse, TransactionRecord } from "#storage/store";
import type { OpenedToken } from "#tokens/token";
import { editorIn } from "./liveness/cues/metadata.ts";
import type { LivenessJudgement } from "./liveness/judge-liveness.ts";
import type { FacialJudgement } from "./matching/judge-comparison.ts";
import type { MeasuredFace, MeasuredPicture } from "./measurement.ts";
import type { FaceCall, FaceService, Measured } from "./service.ts";

type Entry = {
  readonly endpoint: string;
  readonly result: Json;
  readonly measurements: Json;
  readonly measured: readonly Measured[];
  /** Every token that the call opened. */
  readonly tokens: readonly OpenedToken[];
  /** The best-image token that this answer judges, if any. */
  readonly judged?: OpenedToken | undefined;
};

/**
 * Writes the call's transaction and marks its best-image token as used, in one commit. Fails with token_replayed,
 * and writes nothing, when the token was judged before in this tenant. Where the engine broke, the token stays
 * unused: the person must not capture again for our fault.
 */
export const recordFaceCall = async (service: FaceService, call: FaceCall, entry: Entry): Promise<void> => {
  const { caller, transactionId, receivedAt } = call;
  const models = Object.assign(
    {},
    ...entry.measured.map((one) => (one.kind === "measured" ? one.models : {})),
  );
  const record: TransactionRecord = {
    id: transactionId,
    tenantId: caller.tenantId,
    keyId: caller.keyId,
    world: caller.world,
    endpoint: entry.endpoint,
    at: receivedAt,
    result: entry.result,
    measurements: entry.measurements,
    policyVersion: service.policy.version,
    models,
    tokenHashes: entry.tokens.map(({ hash }) => hash),
  };
  const engineBroke = entry.measured.some(({ kind }) => kind === "broken");
  const uses = entry.judged === undefined || engineBroke ? [] : usesOf(service, entry.judged);
  await service.store.recordTransaction(record, uses, { events: [], evidence: [] });
};

/** What marks a judged best-image token as used, for as long as it would be accepted. */
export const usesOf = (
  { policy, bestImageTokenAgeMs }: FaceService,
  { hash, issuedAt }: OpenedToken,
): readonly TokenUse[] =>
  policy.bestImageTokenUses === "once"
    ? [{ hash, expiresAt: new Date(issuedAt.getTime() + bestImageTokenAgeMs) }]
    : [];

/**
 * What a judge may ask for again (replay.ts), field by field, so that nothing new is stored by itself: light, size, pose,
 * scores and cues, which name nobody. Template, fingerprint, age, gender and the file's own texts stay out.
 */
export const measurementsOf = (measured: Measured): Json => {
  if (measured.kind !== "measured") {
    return { kind: measured.kind };
  }
  const { kind, file, width, height, scale, faceWidths, face, cues, background, shadow } = measured;
  const { format, bytes, jpegQuality } = file;
  const fileFacts = { format, bytes, width: file.width, height: file.height, jpegQuality, ...tracesOf(file) };
  return toJson({
    kind,
    file: fileFacts,
    width,
    height,
    scale,
    faceWidths,
    face: face && faceOf(face),
    cues,
    background,
    shadow,
  });
};

/**
 * The texts that a file's maker wrote are only told by whether they are there and whether an editor wrote them: a judge
 * asks for no more, and they could hold anything.
 */
const tracesOf = ({ hasExif, exifSoftware, exifCamera }: MeasuredPicture["file"]) => ({
  hasExif,
  ...(exifSoftware !== undefined && { exifSoftware: editorIn(exifSoftware) ?? "other" }),
  ...(exifCamera !== undefined && { exifCamera: "a camera" }),
});

const faceOf = (face: MeasuredFace) => ({
  confidence: face.confidence,
  presence: face.presence,
  box: face.box,
  pose: face.pose,
  eyeDistancePx: face.eyeDistancePx,
  eyeOpenness: face.eyeOpenness,
  quality: face.quality,
  outsideShare: face.outsideShare,
  mouthOpenness: face.mouthOpenness,
  borderMargin: face.borderMargin,
});

/** Plain values as JSON keeps them: what is undefined is left out, what is no number is null. */
const toJson = (value: unknown): Json => {
  if (Array.isArray(value)) {
    return value.map(toJson);
  }
  if (typeof value === "object" && value !== null) {
    const kept = Object.entries(value).filter(([, field]) => field !== undefined);
    return Object.fromEntries(kept.map(([name, field]) => [name, toJson(field)]));
  }
  const isPlain =
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value));
  return isPlain ? value : null;
};

/** The comparison's numbers, for the record. */
export const comparisonOf = ({ result, use, comparison }: FacialJudgement): Json => ({
  result,
  use: use ?? null,
  score: comparison?.score ?? null,
  similarity: comparison?.similarity ?? null,
  falseMatchRate: comparison?.falseMatchRate ?? null,
});

/** The liveness judgement with the weight of every cue, for the record. */
export const livenessOf = ({ result, assurance, attackScore, evidence }: LivenessJudgement): Json => ({
  result,
  assurance,
  attackScore: attackScore ?? null,
  cues: Object.fromEntries(evidence.map(({ cue, weight }) => [cue, weight])),
});

import { createHash } from "node:crypto";
import type { Json } from "#contract/json";
import type { OperationDetails } from "#record/transactions/operation-step";
import { transactionOf } from "#record/transactions/record-call";
import type { OpenedToken } from "#trust/tokens/token";
import { editorIn } from "./liveness/cues/metadata.ts";
import type { LivenessJudgement } from "./liveness/judge-liveness.ts";
import type { FacialJudgement } from "./matching/judge-comparison.ts";
import type { MeasuredFace, MeasuredImage } from "./measurement.ts";
import type { FaceCall, FaceService, Measured } from "./service.ts";
import { type JudgingCall, usesOf } from "./use-best-image.ts";

type Entry = {
  readonly endpoint: string;
  readonly result: Json;
  readonly measurements: Readonly<Record<string, Json>> | null;
  /** Open images of the call. The record keeps their hashes, so that the authentication hash covers them. */
  readonly images?: readonly Uint8Array[];
  readonly measured: readonly Measured[];
  /** Every token that the call opened. */
  readonly tokens: readonly OpenedToken[];
  /** The best image that this answer judges, if any, and the kind of the call. */
  readonly judged?: { readonly token: OpenedToken; readonly call: JudgingCall } | undefined;
  /** What the call tells about its operation. */
  readonly operationDetails?: OperationDetails;
};

/**
 * Writes the call's transaction and marks its best-image token as used, in one commit. Fails with
 * token_replayed, and writes nothing, if an earlier use of the token refuses this one. If the engine broke,
 * the token stays unused: the person must not need a new capture for a fault of the service. Returns the
 * authentication hash of a positive call.
 */
export const recordFaceCall = async (
  service: FaceService,
  call: FaceCall,
  entry: Entry,
): Promise<string | undefined> => {
  const models = Object.assign(
    {},
    ...entry.measured.map((one) => (one.kind === "measured" ? one.models : {})),
  );
  const engineBroke = entry.measured.some(({ kind }) => kind === "broken");
  const uses =
    entry.judged === undefined || engineBroke
      ? []
      : usesOf(service.bestImages, entry.judged.token, call, entry.judged.call);
  const { endpoint, result, tokens, operationDetails = {} } = entry;
  const policyVersion = service.policy.version;
  const measurements = withImages(entry.measurements, entry.images);
  const recorded = { endpoint, result, measurements, policyVersion, models, tokens };
  const hash = await service.hashAuthentication(transactionOf(call, recorded));
  await service.recordCall(call, { ...recorded, uses, operationDetails });
  return hash;
};

const withImages = (measurements: Entry["measurements"], images: readonly Uint8Array[] = []): Json =>
  images.length === 0 ? measurements : { ...measurements, imageHashes: images.map(hashOfImage) };

/** SHA-256 (hex) of an encoded image, as the authentication hash covers it. */
export const hashOfImage = (image: Uint8Array): string => createHash("sha256").update(image).digest("hex");

/**
 * The fields that a judge needs to judge again (replay.ts), listed one by one so that no new field is stored
 * by accident: light, size, pose, scores and cues, which identify no person. Template, fingerprint, age,
 * gender and the file's own texts are left out.
 */
export const measurementsOf = (measured: Measured): Json => {
  if (measured.kind !== "measured") {
    const persona = measured.kind === "broken" ? measured.persona : undefined;
    return { kind: measured.kind, ...(persona !== undefined && { persona }) };
  }
  const { kind, file, width, height, scale, faceWidths, face, cues, background, shadow, persona } = measured;
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
    persona,
  });
};

/**
 * The record states only whether the file's own texts exist and whether an editor wrote them. A judge needs
 * no more, and the texts could contain anything.
 */
const tracesOf = ({ hasExif, exifSoftware, exifCamera }: MeasuredImage["file"]) => ({
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

/** Plain values as JSON stores them: undefined is left out, a value that is not a number is null. */
export const toJson = (value: unknown): Json => {
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
export const comparisonOf = ({ result, use, comparison, withheld }: FacialJudgement): Json => ({
  result,
  use: use ?? null,
  score: (comparison ?? withheld?.comparison)?.score ?? null,
  similarity: comparison?.similarity ?? null,
  falseMatchRate: comparison?.falseMatchRate ?? null,
  ...(withheld && { beside: withheld.beside }),
});

/** The liveness judgement with the weight of every cue, for the record. */
export const livenessOf = ({ result, assurance, attackScore, evidence }: LivenessJudgement): Json => ({
  result,
  assurance,
  attackScore: attackScore ?? null,
  cues: Object.fromEntries(evidence.map(({ cue, weight }) => [cue, weight])),
});

/** Judges a complete upload once, and stores its answer. */

import type { StepAnswer } from "#contract/capture-page.routes";
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import type { JudgeCapture } from "#judging/face/challenge/judge-capture";
import type { OperationDetails, TrackCall } from "#record/transactions/operation-step";
import { type RecordedCall, stepOf, transactionOf } from "#record/transactions/record-call";
import type { CaptureSession, CaptureUpload } from "../capture-session.ts";
import type { CaptureTally } from "../capture-tally.ts";
import type { InTurn } from "../in-turn.ts";
import type { JudgeDocumentImage, Judged } from "../judging/capture-judgement.ts";
import { pageStateOf } from "../page-state.ts";
import { failuresOf, forgivenOf, type Payer, payerOf, requireNoPause } from "../pause.ts";
import { requireOpen, requireStep } from "../session-state.ts";
import {
  after,
  attemptsMax,
  type CaptureDeps,
  changeSession,
  commitChange,
  getSession,
  type PageCall,
} from "../sessions.ts";
import { makeDocumentTokens, makeFaceTokens, type TokenDeps } from "./make-tokens.ts";
import { settleUpload, type Verdict } from "./settle.ts";
import { dropUpload, getUpload, releaseJudging, startJudging } from "./upload-state.ts";

export type FinishDeps = CaptureDeps &
  TokenDeps & {
    readonly trackCall: TrackCall;
    readonly judgeFace: JudgeCapture;
    readonly judgeDocument: JudgeDocumentImage;
    /**
     * Runs a judgement when there is capacity for it, the earliest upload first, so that captures leave room
     * for other calls.
     */
    readonly inTurn: InTurn["run"];
    readonly count: CaptureTally["count"];
  };

export type FinishCall = PageCall & {
  readonly recorded: RecordedCall;
  readonly signal: AbortSignal;
};

export type FinishUpload = (call: FinishCall, uploadId: string) => Promise<StepAnswer>;

/**
 * The same upload again gets its stored answer. Before a judgement its challenge is marked as used, in a
 * commit of its own; the judgement, its record and the tokens commit together. Where the process dies between
 * the two, the same call judges the same bytes again.
 */
export const makeFinishUpload =
  (deps: FinishDeps): FinishUpload =>
  async (call, uploadId) => {
    const { owner, sessionId, holder } = call;
    const found = await getSession(deps, owner, sessionId);
    const known = getUpload(found.content, uploadId);
    if (known.answer !== undefined) return answerOf(deps, found, known);
    const payer = payerOf(found, call);
    await requireNoPause(deps, owner, payer);
    const session = await changeSession(deps, owner, sessionId, ({ content }) => ({
      content: startJudging(content, { holder, id: uploadId }, { policy: deps.policy, now: deps.clock() }),
    }));
    const upload = getUpload(session.content, uploadId);
    const judged = await judgeOrRelease(deps, call, session, upload);
    return await commitJudged(deps, call, uploadId, judged, payer);
  };

const answerOf = (
  deps: FinishDeps,
  session: CaptureSession,
  { step, answer }: Pick<CaptureUpload, "step" | "answer">,
): StepAnswer => {
  if (answer === undefined) throw new Error("An upload was answered before it was judged");
  return { step, ...answer, page: pageStateOf(session, { ...deps, now: deps.clock() }) };
};

/** A judged upload with what it brings. */
type Outcome = { readonly judged: Judged; readonly bytes: Uint8Array; readonly face?: FaceOutcome };
type FaceOutcome = Awaited<ReturnType<JudgeCapture>>;

/** Failures of the uploaded bytes themselves: they are of no further use. */
const ofBytes: readonly string[] = [
  "capture_upload_damaged",
  "capture_container_unreadable",
  "image_unreadable",
  "image_unsupported",
  "image_too_large",
  "not_found",
  "stored_damaged",
];

/**
 * Bytes of no use are dropped, so that the page begins anew; any other failure leaves the upload for the same
 * call again.
 */
const judgeOrRelease = async (
  deps: FinishDeps,
  call: FinishCall,
  session: CaptureSession,
  upload: CaptureUpload,
): Promise<Outcome> => {
  try {
    return await judge(deps, session, upload, call.signal);
  } catch (error) {
    const isOfBytes = error instanceof Failure && ofBytes.includes(error.code);
    await changeSession(deps, call.owner, session.id, ({ content }) => ({
      content: isOfBytes ? dropUpload(content, upload.id) : releaseJudging(content, upload.id),
    })).catch(() => undefined);
    throw error instanceof Failure && error.code === "not_found"
      ? new Failure("capture_upload_damaged")
      : error;
  }
};

const judge = async (
  deps: FinishDeps,
  { tenantId, content }: CaptureSession,
  upload: CaptureUpload,
  signal: AbortSignal,
): Promise<Outcome> => {
  const bytes = await readUpload(deps, tenantId, upload);
  const place = { id: upload.id, since: upload.at };
  if (upload.step === "document") {
    const asked = { side: upload.side ?? "front", type: content.document?.type };
    const read = () => deps.judgeDocument(bytes, asked, signal);
    return { judged: await deps.inTurn(read, place, signal), bytes };
  }
  const thumbprint = content.page?.thumbprint ?? "";
  const challenge = content.level === "passive" ? undefined : content.challenge?.value;
  const arrivedAt = new Date(upload.at);
  const face = await deps.inTurn(
    () => deps.judgeFace({ container: bytes, challenge, thumbprint, arrivedAt }, signal),
    place,
    signal,
  );
  if (face.fault !== undefined) throw new Failure("capture_container_unreadable", { reason: face.fault });
  return { judged: face, bytes, face };
};

/** The upload, joined from its pieces. Fails if its size or hash differs from what the page announced. */
const readUpload = async (
  { blobs }: Pick<FinishDeps, "blobs">,
  tenantId: string,
  { pieces, bytes, sha256 }: CaptureUpload,
): Promise<Uint8Array<ArrayBuffer>> => {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const { id } of pieces) {
    const piece = await blobs.get(tenantId, id);
    whole.set(piece, at);
    at += piece.length;
  }
  const hash = Buffer.from(await crypto.subtle.digest("SHA-256", whole)).toString("hex");
  if (at !== bytes || hash !== sha256) throw new Failure("capture_upload_damaged");
  return whole;
};

/**
 * Commits the judgement with its record. Another change of the session meanwhile, such as a cancel, is judged
 * first.
 */
const commitJudged = async (
  deps: FinishDeps,
  call: FinishCall,
  uploadId: string,
  outcome: Outcome,
  payer: Payer,
): Promise<StepAnswer> => {
  const paid = await payFor(deps, call, outcome, payer);
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const session = await getSession(deps, call.owner, call.sessionId);
    const upload = getUpload(session.content, uploadId);
    if (upload.answer !== undefined) return answerOf(deps, session, upload);
    requireOpen(session, deps.clock());
    await requireWanted(deps, call, session, upload);
    const verdict = await verdictOf(deps, session, upload, outcome);
    const settled = settleUpload(session.content, upload, verdict, {
      policy: deps.policy,
      now: deps.clock(),
    });
    const changed = {
      ...settled,
      ...paid,
      ...(await recordOf(deps, call, session, upload, outcome, settled)),
    };
    if (await commitChange(deps, session, changed)) {
      deps.count(upload.step, settled.answer.result);
      await removePieces(deps, session.tenantId, upload);
      return answerOf(deps, after(session, changed), { step: upload.step, answer: settled.answer });
    }
  }
  throw new Failure("overloaded");
};

/** Drops an upload whose image another upload has brought meanwhile, and fails with capture_step_refused. */
const requireWanted = async (
  deps: FinishDeps,
  { owner }: FinishCall,
  { id, content }: CaptureSession,
  upload: CaptureUpload,
): Promise<void> => {
  try {
    requireStep(content, upload.step, upload.side);
  } catch (error) {
    const drop = (session: CaptureSession) => ({ content: dropUpload(session.content, upload.id) });
    await changeSession(deps, owner, id, drop).catch(() => undefined);
    throw error;
  }
};

/** Their rows are gone; an object that stays is removed by the sweep. */
const removePieces = async (
  { blobs }: FinishDeps,
  tenantId: string,
  { pieces }: CaptureUpload,
): Promise<void> => {
  await Promise.allSettled(pieces.map(({ id }) => blobs.remove(tenantId, id)));
};

/** What the judgement means for the next captures of session, customer, page key and address. */
const payFor = async (
  deps: FinishDeps,
  { owner }: FinishCall,
  { judged: { result }, face }: Outcome,
  payer: Payer,
) => {
  if (result === "fail") return await failuresOf(deps, owner, payer);
  return result === "pass" && face !== undefined ? await forgivenOf(deps, owner, payer) : {};
};

const verdictOf = async (
  deps: FinishDeps,
  session: CaptureSession,
  upload: CaptureUpload,
  { judged: { result, guidance }, bytes, face }: Outcome,
): Promise<Verdict> => {
  if (result !== "pass") return { result, guidance };
  const now = deps.clock();
  if (face !== undefined) {
    return {
      result,
      guidance,
      level: face.level,
      tokens: await makeFaceTokens(deps, session, upload, face, now),
    };
  }
  const image = await deps.blobs.put(session.tenantId, bytes);
  const tokens = await makeDocumentTokens(deps, session, upload, { bytes, object: image }, now);
  return { result, guidance, image, tokens };
};

/**
 * The transaction of the judgement, its evidence, and the step of its operation. The reason of a refusal
 * stays in the record.
 */
const recordOf = async (
  deps: FinishDeps,
  { recorded }: FinishCall,
  session: CaptureSession,
  upload: CaptureUpload,
  { judged, face, bytes }: Outcome,
  { state, answer }: { readonly state: string; readonly answer: { readonly result: string } },
) => {
  const call = { ...recorded, tracking: { operationId: session.operationId } };
  const operation = await deps.trackCall(call, "captureStep", detailsOf(upload, judged, face, bytes));
  const facts = {
    sessionId: session.id,
    step: upload.step,
    side: upload.side ?? null,
    source: upload.source,
    level: face?.level ?? null,
    result: answer.result,
    state,
  };
  const measurements: Json = { reason: judged.reason ?? null, measured: judged.measurements };
  const record = transactionOf(call, {
    endpoint: "captureStep",
    result: facts,
    measurements,
    policyVersion: `${deps.policy.version} ${judged.policyVersion}`,
    models: judged.models,
  });
  const body = { ...facts, transactionId: record.id, uploadSha256: upload.sha256 };
  const evidence = [{ id: deps.newId(), kind: "capture_judged", at: deps.clock(), body }];
  return { record, step: stepOf({ evidence, operation }) };
};

/** The accepted images belong to the operation. The calls that use the tokens state its events. */
const detailsOf = (
  { step, side }: CaptureUpload,
  { result }: Judged,
  face: FaceOutcome | undefined,
  bytes: Uint8Array,
): OperationDetails => {
  if (result !== "pass") return {};
  if (step === "face") return face?.bestImage === undefined ? {} : { images: { selfie: face.bestImage } };
  return { images: side === "back" ? { id_back: bytes } : { id_front: bytes } };
};

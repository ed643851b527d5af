import { Failure } from "#contract/failure";
import type { RunResult } from "#record/jobs/job";
import { decide, endBecause } from "./decide.ts";
import { prepareEnd } from "./end-verification.ts";
import { findDocument, findingsOf } from "./findings.ts";
import { isUndecided } from "./reference.ts";
import { judgeFace } from "./steps/judge-face.ts";
import { startDocument } from "./steps/start-document.ts";
import type { RunDeps } from "./steps/step.ts";
import { takeCapture } from "./steps/take-capture.ts";
import type { VerificationContent } from "./verification.ts";
import { hasDocument, nextWork, openStateOf, pauseMsMax, waitingSince } from "./verification-state.ts";
import { after, type PreparedChange, prepareChange, type Verification } from "./verifications.ts";

/** Another lease holder has the verification. This run must write nothing more. */
export class VerificationLost extends Error {
  override readonly name = "VerificationLost";
}

/**
 * Runs a verification to its end, or until a capture session, a document validation or a reviewer must be
 * waited for. The result of each step is stored before the next step, and a step whose transaction was
 * committed is never made again.
 */
export const makeRunVerification =
  (deps: RunDeps) =>
  async (leased: Verification, signal: AbortSignal): Promise<RunResult<PreparedChange>> => {
    let verification = leased;
    for (;;) {
      const work = nextWork(verification.content);
      if (work === "await-document") return await awaitDocument(deps, verification);
      if (work === "await-capture") {
        const taken = await takeCapture(deps, verification);
        if (taken === "open") return waitFor(deps, verification.createdAt, pauseMsMax.capture);
        if ("ended" in taken)
          return { outcome: await prepareEnd(deps, verification, endBecause(taken.ended)) };
        verification = await move(deps, verification, taken.content);
      } else if (work === "judge-face" && (await isDocumentOpen(deps, verification))) {
        return waitFor(deps, imagesAt(verification), pauseMsMax.document);
      } else {
        const step = work === "start-document" ? startDocument : judgeFace;
        const content = await orFinished(step(deps, verification, signal));
        if (content === undefined)
          return { outcome: await prepareEnd(deps, verification, endBecause("operation_finished")) };
        verification = await move(deps, verification, content);
      }
    }
  };

/** The document is read first, because its portrait is the reference of the face. */
const isDocumentOpen = async (deps: RunDeps, verification: Verification): Promise<boolean> => {
  const found = await findDocument(deps, verification);
  return found !== undefined && found !== "gone" && isUndecided(found);
};

const imagesAt = ({ content, createdAt }: Verification): Date =>
  new Date(content.images?.at ?? createdAt.getTime());

const waitFor = (
  { clock }: Pick<RunDeps, "clock">,
  began: Date,
  msMax: number,
): RunResult<PreparedChange> => ({ waitingSince: waitingSince(began, clock(), msMax) });

/** Undefined where the operation was ended meanwhile: it takes no further step. */
const orFinished = async (step: Promise<VerificationContent>): Promise<VerificationContent | undefined> => {
  try {
    return await step;
  } catch (error) {
    if (error instanceof Failure && error.code === "operation_finished") return undefined;
    throw error;
  }
};

/** Commits the result of a step. Fails with {@link VerificationLost}. */
const move = async (
  deps: RunDeps,
  verification: Verification,
  content: VerificationContent,
  isInReview = false,
): Promise<Verification> => {
  const state = openStateOf(content, isInReview);
  const waitsFor = content.images === undefined ? content.captureSessionId : content.scanReference;
  const changed = { content, state, waitsFor };
  const { change, step } = await prepareChange(deps, verification, changed);
  const { tenantId, id } = verification;
  const isMoved = await deps.store.changeVerification({ tenantId, id, worker: deps.holder }, change, step);
  if (!isMoved) throw new VerificationLost("Another holder has the verification");
  return after(verification, changed);
};

/** Decides once the document is decided. A review shows in the state, and is waited for. */
const awaitDocument = async (
  deps: RunDeps,
  verification: Verification,
): Promise<RunResult<PreparedChange>> => {
  const { content } = verification;
  const found = await findingsOf(deps, verification);
  const decided = decide(found);
  if (decided !== "waiting" && decided !== "in_review") {
    const end = { ...decided, ...(found.age && { age: found.age }) };
    return { outcome: await prepareEnd(deps, verification, end, found) };
  }
  const isInReview = decided === "in_review";
  if (!hasDocument(content.flow)) throw new Error("A verification without a document waits for one");
  const isShown = verification.state === openStateOf(content, isInReview);
  if (!isShown) await move(deps, verification, content, isInReview);
  return waitFor(deps, imagesAt(verification), isInReview ? pauseMsMax.review : pauseMsMax.document);
};

/** What a judgement makes of its session: pure. */
import type { CaptureState } from "#contract/capture";
import type { GuidanceCode } from "#contract/guidance";
import type {
  CaptureContent,
  CaptureStep,
  CaptureUpload,
  StoredObject,
  UploadAnswer,
} from "../capture-session.ts";
import { triesLeft } from "../page-state.ts";
import type { CapturePolicy } from "../policy.ts";
import { requireStep, stateAfter, wantedSide } from "../session-state.ts";
import { answerUpload } from "./upload-state.ts";

/** A judged upload. An accepted one brings its tokens, and a document its image. */
export type Verdict = {
  readonly result: "pass" | "again" | "fail";
  readonly guidance: readonly GuidanceCode[];
  readonly level?: CaptureStep["level"];
  /** The accepted image of a side. */
  readonly image?: StoredObject;
  readonly tokens?: Readonly<Record<string, StoredObject>>;
};

export type Settled = {
  readonly content: CaptureContent;
  readonly state: CaptureState;
  readonly answer: UploadAnswer;
};

/**
 * The session after the judgement of an upload. Fails with capture_step_refused where another upload was
 * accepted for the same image meanwhile.
 */
export const settleUpload = (
  content: CaptureContent,
  upload: CaptureUpload,
  verdict: Verdict,
  { policy, now }: { readonly policy: Pick<CapturePolicy, "triesMax">; readonly now: Date },
): Settled => {
  requireStep(content, upload.step, upload.side);
  const steps = content.steps.map((step) =>
    step.name === upload.step ? stepAfter(content, step, upload, verdict, policy.triesMax, now) : step,
  );
  const step = steps.find(({ name }) => name === upload.step);
  const hasFailed = step?.state === "failed";
  const answer: UploadAnswer = {
    result: verdict.result === "pass" ? "accepted" : hasFailed ? "failed" : "again",
    guidance: verdict.result === "again" ? [...verdict.guidance] : [],
    triesLeft: step === undefined ? 0 : triesLeft(step, policy),
  };
  const tokens = { ...content.tokens, ...verdict.tokens };
  const settled = answerUpload({ ...content, steps, tokens }, upload.id, answer);
  return { content: settled, state: stateAfter(settled), answer };
};

const stepAfter = (
  content: CaptureContent,
  step: CaptureStep,
  { side, source }: CaptureUpload,
  { result, level, image }: Verdict,
  triesMax: number,
  now: Date,
): CaptureStep => {
  if (result !== "pass") {
    const refused = step.refused + 1;
    return { ...step, refused, state: refused >= triesMax ? "failed" : "open" };
  }
  const taken = side === undefined || image === undefined ? [] : [{ side, image, at: now.getTime() }];
  const accepted = { ...step, source, ...(level && { level }), sides: [...step.sides, ...taken] };
  return { ...accepted, state: wantedSide(content, accepted) === undefined ? "accepted" : "open" };
};

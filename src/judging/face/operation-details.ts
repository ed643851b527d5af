/** The events of a face call, for its operation. */
import type { OperationDetails, StatedEvent } from "#record/transactions/operation-step";
import type { LivenessJudgement } from "./liveness/judge-liveness.ts";
import type { FacialJudgement } from "./matching/judge-comparison.ts";
import type { Measured } from "./service.ts";

/** Whether the image shows a face. */
export const hasFace = (measured: Measured): boolean =>
  measured.kind === "measured" && measured.face !== undefined;

/** Judgements of one call; a part that was not judged is absent. */
export type Judged = {
  readonly facial?: FacialJudgement;
  readonly liveness?: LivenessJudgement;
};

/** Encoded images of the call. */
export type Seen = {
  /** The judged image. Absent where it shows no face. */
  readonly selfie?: Uint8Array | undefined;
  /** The image of the reference, such as the portrait of a document. */
  readonly portrait?: Uint8Array | undefined;
};

/**
 * selfie_captured where there is a selfie, then the evaluations of the call. Where nothing was compared the
 * similarity is 0, as in the answer.
 */
export const detailsOfFaces = (
  { selfie, portrait }: Seen,
  { facial, liveness }: Judged,
): OperationDetails => {
  const captured: StatedEvent = { name: "selfie_captured", data: {} };
  return {
    images: { ...(selfie && { selfie }), ...(portrait && { id_portrait: portrait }) },
    events: [
      ...(selfie === undefined ? [] : [captured]),
      ...(facial === undefined ? [] : [evaluated(facial)]),
      ...(liveness === undefined
        ? []
        : [{ name: "passive_liveness_evaluated", data: { diagnostic: liveness.result } } as const]),
    ],
  };
};

const evaluated = ({ result, comparison }: FacialJudgement): StatedEvent => ({
  name: "facial_authentication_evaluated",
  data: { status: result, similarity: comparison?.similarity ?? 0 },
});

import { Type } from "typebox";
import { turnDirections } from "#contract/capture";
import { makeCheck } from "#contract/make-check";
import type { MeasuredImage } from "../measurement.ts";
import { type ChallengeVerdict, challengeReasons } from "./challenge.ts";
import { type CapturePolicies, judgeChallenge } from "./judge-challenge.ts";
import type { StepMeasurement } from "./measurement.ts";

/** This service wrote the record, so only its form is checked (record-capture.ts). */
const storedCapture = makeCheck(
  Type.Object({
    bestImage: Type.Unsafe<MeasuredImage>(
      Type.Object({ kind: Type.Literal("measured"), faceWidths: Type.Array(Type.Number()) }),
    ),
    capture: Type.Object({
      asked: Type.Array(Type.Enum([...turnDirections])),
      times: Type.Optional(Type.Array(Type.Array(Type.Number()))),
      steps: Type.Array(Type.Unsafe<StepMeasurement>(Type.Object({ frames: Type.Array(Type.Object({})) }))),
      result: Type.Enum(["pass", "again", "fail"]),
      reason: Type.Optional(Type.Enum([...challengeReasons])),
    }),
  }),
);

type Brief = Pick<ChallengeVerdict, "result" | "reason">;

/**
 * A capture of a record, judged then and now; undefined for a record that holds none, and for a challenge of
 * an earlier policy, whose record states no times. `withNetwork` as in replay.ts.
 */
export const replayCapture = (
  measurements: unknown,
  policies: CapturePolicies,
  withNetwork: (image: MeasuredImage) => MeasuredImage = (image) => image,
): { readonly was: Brief; readonly now: Brief } | undefined => {
  if (!storedCapture.Check(measurements)) return undefined;
  const { bestImage, capture } = measurements;
  const { asked, times, steps, result, reason } = capture;
  if (asked.length > 0 && times === undefined) return undefined;
  const challenge = asked.length === 0 ? undefined : { steps: asked.map((turn) => ({ turn })), times };
  const now = judgeChallenge({ best: withNetwork(bestImage), steps, models: {} }, challenge, policies);
  return {
    was: { result, ...(reason && { reason }) },
    now: { result: now.result, ...(now.reason && { reason: now.reason }) },
  };
};

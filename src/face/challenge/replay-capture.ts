import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { turnDirections } from "#contract/capture";
import type { MeasuredImage } from "../measurement.ts";
import { type ChallengeVerdict, challengeReasons } from "./challenge.ts";
import { type CapturePolicies, judgeChallenge } from "./judge-challenge.ts";
import type { StepMeasurement } from "./measurement.ts";

/** This service wrote the record, so only its form is checked (record-capture.ts). */
const storedCapture = Compile(
  Type.Object({
    bestImage: Type.Unsafe<MeasuredImage>(
      Type.Object({ kind: Type.Literal("measured"), faceWidths: Type.Array(Type.Number()) }),
    ),
    capture: Type.Object({
      asked: Type.Array(Type.Enum([...turnDirections])),
      steps: Type.Array(Type.Unsafe<StepMeasurement>(Type.Object({ frames: Type.Array(Type.Object({})) }))),
      result: Type.Enum(["pass", "again", "fail"]),
      reason: Type.Optional(Type.Enum([...challengeReasons])),
    }),
  }),
);

type Brief = Pick<ChallengeVerdict, "result" | "reason">;

/** A capture of a record, judged then and now; undefined for a record that holds none. `withNetwork` as in replay.ts. */
export const replayCapture = (
  measurements: unknown,
  policies: CapturePolicies,
  withNetwork: (image: MeasuredImage) => MeasuredImage = (image) => image,
): { readonly was: Brief; readonly now: Brief } | undefined => {
  if (!storedCapture.Check(measurements)) return undefined;
  const { bestImage, capture } = measurements;
  const { asked, steps, result, reason } = capture;
  const challenge = asked.length === 0 ? undefined : { steps: asked.map((turn) => ({ turn })) };
  const now = judgeChallenge({ best: withNetwork(bestImage), steps, models: {} }, challenge, policies);
  return {
    was: { result, ...(reason && { reason }) },
    now: { result: now.result, ...(now.reason && { reason: now.reason }) },
  };
};

import { livenessOf, measurementsOf } from "#judging/face/record";
import { type Check, imageIn, type Verdict } from "./check.ts";
import { describeFace, describeLiveness } from "./faces.ts";
import { runCheck } from "./local-command.ts";
import { unusableFace } from "./unusable-image.ts";

const verdicts: Readonly<Record<string, Verdict>> = { Live: "positive", NoLive: "negative" };

export const livenessCheck: Check = {
  name: "liveness",
  images: ["path"],
  isPositional: true,
  optionalImages: [],
  inputs: { path: "path" },
  values: {},
  columns: ["attack_score", "assurance"],
  truth: {
    column: "label",
    words: { live: "positive", spoof: "negative" },
    wronglyPositive: "attacks taken as live",
    wronglyNegative: "persons taken as attacks",
  },
  ask: async (checks, question) => {
    const { image, liveness } = await checks.judge(imageIn(question, "path"));
    const unusable = unusableFace("path", image);
    return {
      verdict: verdicts[liveness.result] ?? "unjudged",
      result: liveness.result,
      sections: [describeLiveness(liveness, checks), describeFace("Image", image, checks)],
      cells: { attack_score: liveness.attackScore?.toFixed(4) ?? "", assurance: liveness.assurance },
      ...(unusable && { unusable }),
      detail: { liveness: livenessOf(liveness), image: measurementsOf(image) },
    };
  },
};

export const runLiveness = runCheck(livenessCheck);

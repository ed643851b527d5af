import { comparisonOf, measurementsOf } from "#judging/face/record";
import { type Check, imageIn, type Verdict } from "./check.ts";
import { describeComparison, describeFace } from "./faces.ts";
import { runCheck } from "./local-command.ts";

const verdicts: Readonly<Record<string, Verdict>> = { Positive: "positive", Negative: "negative" };

export const compareCheck: Check = {
  name: "compare",
  images: ["image_a", "image_b"],
  isPositional: true,
  optionalImages: [],
  inputs: { first: "image_a", second: "image_b" },
  values: {},
  columns: ["similarity", "score", "fmr_at_score"],
  truth: {
    column: "same",
    words: { 1: "positive", true: "positive", 0: "negative", false: "negative" },
    wronglyPositive: "false matches",
    wronglyNegative: "false non-matches",
  },
  ask: async (checks, question) => {
    const { first, second, facial } = await checks.compare(
      imageIn(question, "image_a"),
      imageIn(question, "image_b"),
    );
    const { comparison } = facial;
    return {
      verdict: verdicts[facial.result] ?? "unjudged",
      result: facial.result,
      sections: [
        describeComparison(facial, checks),
        describeFace("First image", first, checks),
        describeFace("Second image", second, checks),
      ],
      cells: {
        similarity: comparison?.similarity.toFixed(4) ?? "",
        score: comparison?.score.toFixed(4) ?? "",
        fmr_at_score: comparison?.falseMatchRate.toExponential(2) ?? "",
      },
      detail: {
        comparison: comparisonOf(facial),
        first: measurementsOf(first),
        second: measurementsOf(second),
      },
    };
  },
};

export const runCompare = runCheck(compareCheck);

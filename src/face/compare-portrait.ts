import type { Json } from "#contract/json";
import { unpackFrames } from "./engine/frames.ts";
import { judgeComparison } from "./matching/judge-comparison.ts";
import type { ComparisonUse } from "./policy.ts";
import { comparisonOf, measurementsOf } from "./record.ts";
import { type FaceDeps, type Measured, measureOrBroken, requireImage } from "./service.ts";

/** The comparison of a document's portrait with a face; `unknown` if one of them cannot be recognised. */
export type PortraitComparison = {
  readonly answer: "same" | "other" | "unknown";
  readonly record: Json;
  readonly models: Readonly<Record<string, string>>;
};

/**
 * Compares a portrait cut out of a document (JPEG) with an image of a face, or with the best of several frames. Fails with an image failure of
 * the input `face`. Writes no record: the caller's transaction does. `use` chooses the false match rate.
 */
export const makeComparePortrait =
  (service: FaceDeps, use: ComparisonUse = "selfie") =>
  async (portrait: Uint8Array, face: Uint8Array, signal: AbortSignal): Promise<PortraitComparison> => {
    const sides = await Promise.all(
      [portrait, unpackFrames(face)[0]].map((bytes) =>
        measureOrBroken(service, bytes, { template: true }, signal),
      ),
    );
    const [reference, probe] = [sides[0]!, sides[1]!];
    requireImage("face", probe);
    const { comparison: policy } = service.policy;
    const judgement =
      reference.kind === "broken" || probe.kind === "broken"
        ? ({ result: "None" } as const)
        : judgeComparison(reference, probe, policy, {
            use,
            sizeRatios: [policy.referenceCrowdShareMin, policy.crowdShareMin],
          });
    return {
      answer:
        judgement.result === "Positive" ? "same" : judgement.result === "Negative" ? "other" : "unknown",
      record: {
        portrait: measurementsOf(reference),
        face: measurementsOf(probe),
        comparison: comparisonOf(judgement),
      },
      models: { ...modelsOf(reference), ...modelsOf(probe) },
    };
  };

const modelsOf = (measured: Measured): Readonly<Record<string, string>> =>
  measured.kind === "measured" ? measured.models : {};

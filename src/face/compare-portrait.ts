import type { Json } from "#storage/store";
import { judgeComparison } from "./matching/judge-comparison.ts";
import { comparisonOf, measurementsOf } from "./record.ts";
import { type FaceService, type Measured, measureOrBroken, requirePicture } from "./service.ts";

/** Whether a document's portrait and a face are one person's; `unknown` where one of them cannot be known. */
export type PortraitComparison = {
  readonly answer: "same" | "other" | "unknown";
  readonly record: Json;
  readonly models: Readonly<Record<string, string>>;
};

/**
 * Compares a portrait that was cut out of a document (JPEG) with a picture of a face. Fails with an image failure of the
 * input `face`. Records nothing: the caller's transaction does.
 */
export const makeComparePortrait =
  (service: FaceService) =>
  async (portrait: Uint8Array, face: Uint8Array, signal: AbortSignal): Promise<PortraitComparison> => {
    const sides = await Promise.all(
      [portrait, face].map((bytes) => measureOrBroken(service, bytes, { template: true }, signal)),
    );
    const [reference, probe] = [sides[0]!, sides[1]!];
    requirePicture("face", probe);
    const { comparison: policy } = service.policy;
    const judgement =
      reference.kind === "broken" || probe.kind === "broken"
        ? ({ result: "None" } as const)
        : judgeComparison(reference, probe, policy, {
            use: "selfie",
            crowdShares: [policy.referenceCrowdShareMin, policy.crowdShareMin],
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

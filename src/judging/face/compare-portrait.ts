import type { Json } from "#contract/json";
import type { Quad } from "#machine/imaging/image";
import { unpackFrames } from "./engine/frames.ts";
import { judgeComparison } from "./matching/judge-comparison.ts";
import type { ComparisonUse } from "./policy.ts";
import { comparisonOf, measurementsOf } from "./record.ts";
import { type FaceDeps, type Measured, measureOrBroken, requireImage } from "./service.ts";

/** The comparison of a document's portrait with a face; `unknown` if one of them cannot be recognised. */
export type PortraitComparison = {
  readonly answer: "same" | "other" | "unknown";
  readonly record: Json;
  readonly policyVersion: string;
  readonly models: Readonly<Record<string, string>>;
};

/**
 * Compares a portrait cut out of a document (JPEG) with an image of a face, or with the best of several
 * frames. Fails with an image failure of the input `face`. Writes no record: the caller's transaction does.
 * `use` chooses the false match rate. `area`: the portrait's part of the image, in pixels of its file; absent
 * for a portrait that was cut out.
 */
export const makeComparePortrait =
  (service: FaceDeps, use: ComparisonUse = "selfie") =>
  async (
    portrait: Uint8Array,
    face: Uint8Array,
    signal: AbortSignal,
    area?: Quad,
  ): Promise<PortraitComparison> => {
    const wanted = { template: true };
    const [reference, probe] = await Promise.all([
      measureOrBroken(service, portrait, { ...wanted, ...(area && { area }) }, signal),
      measureOrBroken(service, unpackFrames(face)[0], wanted, signal),
    ]);
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
      policyVersion: service.policy.version,
      models: { ...modelsOf(reference), ...modelsOf(probe) },
    };
  };

const modelsOf = (measured: Measured): Readonly<Record<string, string>> =>
  measured.kind === "measured" ? measured.models : {};

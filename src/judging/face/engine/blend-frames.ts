import { blendTemplates } from "../matching/blend-templates.ts";
import type { Cohort } from "../matching/cohort.ts";
import { cosine } from "../matching/fusion.ts";
import { unpackTemplate } from "../matching/template.ts";
import { vectorsOf } from "../matching/template-kinds.ts";
import type { MeasuredImage, MeasureFace } from "../measurement.ts";
import type { ComparisonPolicy } from "../policy.ts";

/** The template of one capture, and the frames that it is made of. */
export type BlendedFrames = {
  /** Absent where the best image gives none. */
  readonly template?: Uint8Array;
  /** Indices into the given frames, the best image first. */
  readonly used: readonly number[];
  readonly models: Readonly<Record<string, string>>;
};

/** What a frame beside the best image must have to be part of a template. */
export type BlendPolicy = {
  readonly framesMax: number;
  /** Cosine of the template's first vector to that of the best image: the same person … */
  readonly samePersonCosineMin: number;
  /** … and, to every frame already taken, another view of it. */
  readonly sameViewCosineMax: number;
};

/**
 * Same person: as in a challenge (challenge/policy.ts). Same view: frames of one camera 120 ms apart have
 * dlib cosines of .995 and more (drawn heads, `judge-challenge.engine.test.ts`): a second one adds nothing to
 * the mean.
 */
export const defaultBlendPolicy: BlendPolicy = {
  framesMax: 3,
  samePersonCosineMin: 0.94,
  sameViewCosineMax: 0.995,
};

/** The gates of a comparison: a frame that would not be compared is no part of a template. */
type Gates = Pick<
  ComparisonPolicy,
  "presenceMin" | "eyeDistancePxMin" | "sharpnessMin" | "yawDegreesMax" | "pitchDegreesMax" | "crowdShareMin"
>;

/** The blending as the main thread sees it, through the pool. Made by {@link makeBlendFrames}. */
export type BlendFrames = (
  frames: readonly Uint8Array[],
  comparison: ComparisonPolicy,
  signal?: AbortSignal,
) => Promise<BlendedFrames>;

type Deps = {
  readonly measureFace: MeasureFace;
  readonly cohort: Pick<Cohort, "faces">;
  readonly policy: BlendPolicy;
};

/**
 * Makes one template of the best frames of a capture: the best image, and up to two others that show the same
 * person from another side. The first frame is the best image; the others are tried in their order.
 */
export const makeBlendFrames =
  ({ measureFace, cohort, policy }: Deps) =>
  async (frames: readonly Uint8Array[], gates: Gates): Promise<BlendedFrames> => {
    const used: number[] = [];
    const templates: Uint8Array[] = [];
    let models: BlendedFrames["models"] = {};
    for (const [i, bytes] of frames.entries()) {
      if (used.length === policy.framesMax || (i > 0 && used.length === 0)) break;
      const measured = await measureFace(bytes, { template: true });
      if (measured.kind !== "measured" || measured.template === undefined) continue;
      models = measured.models;
      if (i > 0 && !(isComparable(measured, gates) && isAnotherView(measured.template, templates, policy))) {
        continue;
      }
      used.push(i);
      templates.push(measured.template);
    }
    const template = blendTemplates(templates, cohort);
    return { ...(template && { template }), used, models };
  };

const isComparable = ({ face, faceWidths }: MeasuredImage, gates: Gates): boolean =>
  face !== undefined &&
  face.presence >= gates.presenceMin &&
  face.eyeDistancePx >= gates.eyeDistancePxMin &&
  face.quality.sharpness >= gates.sharpnessMin &&
  Math.abs(face.pose.yawDegrees) <= gates.yawDegreesMax &&
  Math.abs(face.pose.pitchDegrees) <= gates.pitchDegreesMax &&
  !((faceWidths[1] ?? 0) >= gates.crowdShareMin);

const isAnotherView = (
  template: Uint8Array,
  [best, ...others]: readonly Uint8Array[],
  { samePersonCosineMin, sameViewCosineMax }: BlendPolicy,
): boolean => {
  const vector = firstVector(template);
  const toBest = best && cosine(vector, firstVector(best));
  if (toBest === undefined || !(toBest >= samePersonCosineMin && toBest <= sameViewCosineMax)) return false;
  return others.every((other) => cosine(vector, firstVector(other)) <= sameViewCosineMax);
};

const firstVector = (template: Uint8Array): Float32Array => {
  const opened = unpackTemplate(template);
  if (opened === undefined) throw new Error("The engine made a template that cannot be read");
  return vectorsOf(opened)[0]!;
};

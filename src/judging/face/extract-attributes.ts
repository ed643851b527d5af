import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import { type AgeInterval, ageIntervalOf } from "./attributes/age-interval.ts";
import { type Eyewear, judgeEyewear } from "./attributes/eyewear.ts";
import { type FaceQualityReport, judgeQuality } from "./attributes/quality-components.ts";
import { measurementsOf, recordFaceCall } from "./record.ts";
import { type FaceCall, type FaceService, measureOrBroken, requireImage } from "./service.ts";

/** Estimates of the subject's face. Null if no face was found. */
export type Attributes = {
  readonly ageYears: number | null;
  /** Absent without an estimate, and where too few faces were measured. */
  readonly ageInterval?: AgeInterval;
  /** `unknown` if the estimate is too uncertain, or if there is no face. */
  readonly gender: "male" | "female" | "unknown";
  /** Null if it is open whether eyewear is worn (docs/decisions/0018-eyewear-probe.md). */
  readonly eyewear: Eyewear | null;
  readonly eyeDistancePx: number | null;
  readonly confidence: number;
  readonly quality?: FaceQualityReport;
};

export type ExtractAttributes = (
  call: FaceCall,
  input: { readonly image: Uint8Array } | { readonly token: Uint8Array },
) => Promise<Attributes>;

/**
 * At |p - .5| > .3 gender is right in 99.0 % of 87 % of faces, without it in 96.1 %
 * (docs/measurements/attributes.md).
 */
const genderMargin = 0.3;

/**
 * Estimates attributes of an open image or of the image in a token. A token is not used up, because nothing
 * is decided. Fails with image and token failures, and with engine_failed if the engine broke.
 */
export const makeExtractAttributes =
  (service: FaceService): ExtractAttributes =>
  async (call, input) => {
    const token =
      "token" in input
        ? await asInput("face", () => service.openToken(input.token, ["best-image", "face-image"], call))
        : undefined;
    const image = "image" in input ? input.image : token?.payload;
    if (image === undefined) {
      throw new Error("A token was not opened before it was measured");
    }
    const measured = await measureOrBroken(
      service,
      image,
      { attributes: true, frames: token?.kind === "best-image" },
      call.signal,
    );
    requireImage("face", measured);
    if (measured.kind !== "measured") {
      throw new Failure("engine_failed");
    }
    await recordFaceCall(service, call, {
      endpoint: "extractFacial",
      result: { found: measured.face !== undefined },
      measurements: { picture: measurementsOf(measured) },
      measured: [measured],
      tokens: token ? [token] : [],
    });
    const { face, attributes } = measured;
    const quality = judgeQuality(measured);
    const ageInterval = attributes && ageIntervalOf(attributes.ageYears);
    return {
      ...(quality && { quality }),
      ...(ageInterval && { ageInterval }),
      ageYears: attributes ? Math.round(attributes.ageYears) : null,
      gender: attributes ? genderOf(attributes.maleness) : "unknown",
      eyewear:
        (face && attributes?.eyewear
          ? judgeEyewear(attributes.eyewear, face.quality.eyeToSkin, service.policy.attributes)
          : undefined) ?? null,
      eyeDistancePx: face ? Math.round(face.eyeDistancePx / measured.scale) : null,
      confidence: face ? face.confidence * Math.min(1, face.presence) : 0,
    };
  };

const genderOf = (maleness: number): Attributes["gender"] => {
  if (Math.abs(maleness - 0.5) <= genderMargin) {
    return "unknown";
  }
  return maleness > 0.5 ? "male" : "female";
};

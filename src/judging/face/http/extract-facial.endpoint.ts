import { decodeBase64, largerThan } from "#contract/base64";
import { type Endpoint, implement } from "#contract/endpoint";
import { envelope, serviceRan } from "#contract/envelope";
import { extractFacialRoute } from "#contract/face.routes";
import { ageIntervalCoverage } from "../attributes/age-interval.ts";
import type { FaceQualityReport } from "../attributes/quality-components.ts";
import type { Attributes, ExtractAttributes } from "../extract-attributes.ts";

/** `IDM`, the first bytes of every token of this service. No image format begins with them. */
const tokenStart = Buffer.from("IDM");

const wireGender = { male: "Male", female: "Female", unknown: "None" } as const;
const wireGlasses = { none: "None", clear: "Eye", dark: "Sun" } as const;

/** A number that was not measured is absent: clients read it into a type without null. */
const extraction = (attributes: Attributes): string =>
  JSON.stringify({
    age: attributes.ageYears ?? undefined,
    ageInterval: attributes.ageInterval && { ...attributes.ageInterval, coverage: ageIntervalCoverage },
    glasses: attributes.eyewear === null ? null : wireGlasses[attributes.eyewear],
    gender: wireGender[attributes.gender],
    iod: attributes.eyeDistancePx ?? undefined,
    faceConfidence: Number(attributes.confidence.toFixed(4)),
  });

const wireQuality = ({ score, components }: FaceQualityReport) => ({
  score: Math.round(score),
  components: components.map(({ name, value }) => ({
    name,
    value: value === undefined ? null : Math.round(value),
  })),
});

/** An open image or a token: the first bytes decide. */
export const extractFacialEndpoint = (extract: ExtractAttributes, imageBytesMax: number): Endpoint =>
  implement(extractFacialRoute, async (call) => {
    const bytes = decodeBase64("tokenBuffer", call.request.tokenBuffer);
    const isToken = bytes.subarray(0, tokenStart.length).equals(tokenStart);
    if (!isToken && bytes.length > imageBytesMax) throw largerThan("tokenBuffer", imageBytesMax);
    const attributes = await extract(call, isToken ? { token: bytes } : { image: bytes });
    return {
      ...envelope(call, serviceRan("extractFacial")),
      serviceFacialExtractionResult: extraction(attributes),
      faceQuality: attributes.quality ? wireQuality(attributes.quality) : null,
    };
  });

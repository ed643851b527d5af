import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import type { PersonaFaceName } from "../../specimen/persona-faces.ts";
import type { Persona, Produced, Steering } from "../persona.ts";
import { face, identityCall, inOperation, livenessCall } from "./calls.ts";
import { asAnotherPerson, withoutCues } from "./face-changes.ts";

type Facial = keyof typeof facialAuthenticationNumber;
type Liveness = Exclude<keyof typeof livenessNumber, "Spoof" | "Uncertain">;

const facialOf = (result: Facial): readonly Produced[] => [
  { table: "facial", value: facialAuthenticationNumber[result] },
  { table: "facialEvent", value: result },
];
const livenessOf = (result: Liveness): readonly Produced[] => [
  { table: "liveness", value: livenessNumber[result] },
  { table: "livenessEvent", value: result },
];

const livenessPersona = (
  result: Liveness,
  name: string,
  story: string,
  drawing: PersonaFaceName,
  steering?: Steering,
): Persona => ({
  name: `liveness-${name}`,
  story,
  produces: livenessOf(result),
  images: { selfie: face(drawing, steering) },
  calls: [inOperation(livenessCall({ serviceLivenessResult: livenessNumber[result] }))],
});

const livenessPersonas: readonly Persona[] = [
  livenessPersona("Live", "live", "A face before a camera.", "selfie"),
  livenessPersona(
    "None",
    "none",
    "The same face. The mark removes the measurements that search for an attack.",
    "selfie",
    withoutCues,
  ),
  livenessPersona("NoneBecauseBadQuality", "bad-quality", "A face in the dark.", "selfie-in-the-dark"),
  livenessPersona(
    "NoneBecauseFaceTooClose",
    "face-too-close",
    "A face that fills the frame.",
    "selfie-too-close",
  ),
  livenessPersona("NoneBecauseFaceNotFound", "face-not-found", "A wall without a face.", "empty-wall"),
  livenessPersona(
    "NoneBecauseFaceTooSmall",
    "face-too-small",
    "A face far from the camera.",
    "selfie-from-afar",
  ),
  livenessPersona(
    "NoneBecauseAngleTooLarge",
    "angle-too-large",
    "A face that looks aside.",
    "selfie-looking-aside",
  ),
  livenessPersona(
    "NoneBecauseImageDataError",
    "image-data-error",
    "A file that ends before its pixels.",
    "selfie-cut-short",
  ),
  livenessPersona(
    "NoneBecauseInternalError",
    "internal-error",
    "A face at which the engine breaks, by its mark.",
    "selfie",
    { kind: "failure", code: "engine_failed", at: "measure" },
  ),
  livenessPersona(
    "NoneBecauseImagePreprocessError",
    "preprocess-error",
    "An image of twenty pixels.",
    "speck",
  ),
  livenessPersona("NoneBecauseTooManyFaces", "too-many-faces", "Two faces of one size.", "selfie-of-two"),
  livenessPersona(
    "NoneBecauseFaceTooCloseToBorder",
    "too-close-to-border",
    "A face at the border of the frame.",
    "selfie-near-the-border",
  ),
  livenessPersona(
    "NoneBecauseFaceCropped",
    "face-cropped",
    "A face cut by the frame.",
    "selfie-cut-by-the-frame",
  ),
  livenessPersona(
    "NoneBecauseLicenseError",
    "license-error",
    "A face that is judged as without a licence of liveness, by its mark.",
    "selfie",
    { kind: "unlicensed" },
  ),
  livenessPersona(
    "NoneBecauseFaceOccluded",
    "face-occluded",
    "A face behind a mask.",
    "selfie-behind-a-mask",
  ),
  livenessPersona("NoLive", "no-live-telephone", "A face on a telephone.", "selfie-on-a-telephone"),
  livenessPersona("NoLive", "no-live-tablet", "A face on a tablet.", "selfie-on-a-tablet"),
  livenessPersona("NoLive", "no-live-paper", "A printed face.", "selfie-on-paper"),
  livenessPersona(
    "NoneBecauseEyesClosed",
    "eyes-closed",
    "A face with closed eyes.",
    "selfie-with-closed-eyes",
  ),
];

type FacialPersona = {
  readonly name: string;
  readonly story: string;
  readonly facial: Facial;
  readonly liveness: Liveness;
  readonly selfie: PersonaFaceName;
  readonly steering?: Steering;
};

const facialPersona = ({ name, story, facial, liveness, selfie, steering }: FacialPersona): Persona => ({
  name: `facial-${name}`,
  story,
  produces: [...facialOf(facial), ...livenessOf(liveness)],
  images: { reference: face("portrait"), selfie: face(selfie, steering) },
  calls: [
    inOperation(
      identityCall({
        facialAuthenticationResult: facialAuthenticationNumber[facial],
        passiveLivenessResult: livenessNumber[liveness],
      }),
    ),
  ],
});

const facialPersonas: readonly Persona[] = [
  facialPersona({
    name: "positive",
    story: "A portrait and a selfie of one face.",
    facial: "Positive",
    liveness: "Live",
    selfie: "selfie",
  }),
  facialPersona({
    name: "negative",
    story: "A portrait and a selfie. The mark turns the template of the selfie into that of another person.",
    facial: "Negative",
    liveness: "Live",
    selfie: "selfie",
    steering: asAnotherPerson,
  }),
  facialPersona({
    name: "none",
    story:
      "A selfie of two faces. The mark turns their template into that of another person, who may be either.",
    facial: "None",
    liveness: "NoneBecauseTooManyFaces",
    selfie: "selfie-of-two",
    steering: asAnotherPerson,
  }),
  facialPersona({
    name: "pose-exceeds",
    story: "A portrait, and a selfie in profile.",
    facial: "NoneBecausePoseExceed",
    liveness: "NoneBecauseAngleTooLarge",
    selfie: "selfie-in-profile",
  }),
  facialPersona({
    name: "invalid-extractions",
    story: "A portrait, and a wall without a face.",
    facial: "NoneBecauseInvalidExtractions",
    liveness: "NoneBecauseFaceNotFound",
    selfie: "empty-wall",
  }),
  facialPersona({
    name: "positive-on-a-telephone",
    story: "A portrait, and the same face on a telephone: the person matches and is not there.",
    facial: "Positive",
    liveness: "NoLive",
    selfie: "selfie-on-a-telephone",
  }),
];

/** Personas of facial and liveness numbers, and of the events that state them. */
export const facePersonas: readonly Persona[] = [...livenessPersonas, ...facialPersonas];

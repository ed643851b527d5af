import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import type { FaceSide } from "#judging/face/matching/judge-comparison";
import { mapTemplate } from "#judging/face/matching/template";
import type { FaceMeasurement } from "#judging/face/measurement";
import type { OpenedToken } from "#trust/tokens/token";
import type { UserCall, UserService } from "./service.ts";

/** The reference of a user: a sealed template, a sealed face image, or an open image. */
export type ReferenceInput =
  | { readonly kind: "token"; readonly token: Uint8Array }
  | { readonly kind: "image"; readonly image: Uint8Array };

/** An opened reference. Its kind says whether it has to be measured. */
export type Reference = {
  readonly kind: "template" | "image";
  readonly bytes: Uint8Array;
  readonly tokens: readonly OpenedToken[];
};

/**
 * Opens a reference. A field for templates accepts a face-image or best-image token too: a capture device
 * seals its image, and the recogniser that makes the template runs here. Fails with a token failure (input
 * `reference`).
 */
export const openReference = async (
  { openToken }: Pick<UserService, "openToken">,
  call: UserCall,
  input: ReferenceInput,
): Promise<Reference> => {
  if (input.kind === "image") {
    return { kind: "image", bytes: input.image, tokens: [] };
  }
  const kinds = ["template", "face-image", "best-image"] as const;
  const reader = { ...call, isReference: true };
  const token = await asInput("reference", () => openToken(input.token, kinds, reader));
  const kind = token.kind === "template" ? "template" : "image";
  return { kind, bytes: token.payload, tokens: [token] };
};

/** A reference ready for comparison: the template as sent, or the measurement of the image. */
export type MeasuredReference = {
  readonly side: FaceSide;
  readonly measured: readonly FaceMeasurement[];
};

/** Fails with an image failure if the image is unusable (input `reference`). */
export const measureReference = async (
  { face }: Pick<UserService, "face">,
  { signal }: UserCall,
  { kind, bytes, tokens }: Reference,
): Promise<MeasuredReference> => {
  if (kind === "template") {
    return { side: { kind: "template", template: bytes }, measured: [] };
  }
  const frames = tokens[0]?.kind === "best-image";
  const measured = await face.measure(bytes, { template: true, frames }, signal);
  if (measured.kind !== "measured") {
    const { code, facts = {} } = measured;
    throw new Failure(code, { ...facts, input: "reference" });
  }
  return { side: measured, measured: [measured] };
};

/** The packed template of a side, if it has one. */
export const templateOf = (side: FaceSide): Uint8Array | undefined =>
  "template" in side ? side.template : undefined;

const unchanged = (vector: Float32Array): Float32Array => vector;

/**
 * A sent template with the cohort score of a trusted one. The sender's own cohort score would shift every
 * comparison score: too low a value would match impostors, too high a value would match no face. Returns the
 * template unchanged if one of the two is not a template.
 */
export const withTrustedCohortScore = (template: Uint8Array, trusted: Uint8Array): FaceSide => {
  let cohortScore: number | undefined;
  mapTemplate(trusted, {
    vector: unchanged,
    cohortScore: (value) => {
      cohortScore = value;
      return value;
    },
  });
  const mapped = mapTemplate(template, { vector: unchanged, cohortScore: (value) => cohortScore ?? value });
  return { kind: "template", template: mapped ?? template };
};

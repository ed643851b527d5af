/** An image of the operator that cannot be used: the file and the reason, in a sentence. */
import { Failure } from "#contract/failure";
import type { FaceMeasurement } from "#judging/face/measurement";
import type { Check } from "./check.ts";

/**
 * The refusal of an image whose face cannot be measured because the file is no image; undefined for any other
 * image.
 */
export const unusableFace = (input: string, image: FaceMeasurement): Failure | undefined =>
  image.kind === "measured" ? undefined : new Failure(image.code, { ...image.facts, input });

/**
 * The sentence about an image that was refused:
 * `a.jpg: The image format is not supported (image_unsupported, …).` `pathOf` finds the file of an image of
 * the check. Undefined for another error.
 */
export const describeUnusable = (
  error: unknown,
  { inputs }: Pick<Check, "inputs">,
  pathOf: (image: string) => string | undefined,
): string | undefined => {
  if (!(error instanceof Failure) || !error.code.startsWith("image_")) return undefined;
  const { input, ...facts } = error.facts;
  const image = typeof input === "string" ? inputs[input] : undefined;
  const path = image === undefined ? undefined : pathOf(image);
  const figures = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
  return `${path ?? "An image"}: ${error.message} (${[error.code, ...figures].join(", ")}).`;
};

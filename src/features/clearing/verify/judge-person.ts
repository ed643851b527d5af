import { Failure } from "#contract/failure";
import { isGroup, type Json } from "#contract/json";
import type { SamePersonBy } from "../store/clearing-token.ts";

/** What may show that identity call and document are of one person. */
export type PersonEvidence = {
  /** SHA-256 (hex) of the open images of the identity call: its reference image. */
  readonly identityImages: readonly string[];
  /**
   * SHA-256 (hex) of the front of the document, where it is kept. A back can be any photograph beside the
   * document.
   */
  readonly documentFront: string | undefined;
  /** The comparison of the document with the selfie, in text why there was none. */
  readonly faces: "same" | "other" | "unknown" | { readonly missing: string };
};

/** Whether the identity call compared the selfie with the very front that was validated. */
export const hasEqualImage = ({
  identityImages,
  documentFront,
}: Pick<PersonEvidence, "identityImages" | "documentFront">): boolean =>
  documentFront !== undefined && identityImages.includes(documentFront);

/** What shows that both are of one person, or the refusal. An equal image decides before faces do. */
export const judgePerson = (evidence: PersonEvidence): SamePersonBy | Failure => {
  if (hasEqualImage(evidence)) return "image";
  const { faces } = evidence;
  if (faces === "same") return "faces";
  if (faces === "other") return new Failure("clearing_other_person");
  const reason =
    faces === "unknown" ? "the face of the document cannot be compared with the selfie" : faces.missing;
  return new Failure("clearing_person_unproven", { reason });
};

/** The hashes of open images in the measurements of a call. */
export const imageHashesOf = (measurements: Json): readonly string[] => {
  const hashes = isGroup(measurements) ? measurements["imageHashes"] : undefined;
  return Array.isArray(hashes) ? hashes.filter((hash) => typeof hash === "string") : [];
};

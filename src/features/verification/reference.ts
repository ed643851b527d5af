/** The reference of a face comparison from the document that was judged: pure. */
import type { FoundValidation } from "#judging/document/validation/find-validation";
import type { Reference } from "#judging/face/verify-identity";

type Found = Pick<FoundValidation, "status"> & {
  readonly record: Pick<FoundValidation["record"], "status" | "portrait">;
};

/** Whether its images may still be read: then no portrait is known yet. */
export const isUndecided = ({ status, record }: Found): boolean =>
  status !== "FAILED" && (record.status === "Started" || record.status === "Submitted");

/** An image that was sent, or the part of it that is the document's portrait. */
export type DocumentReference = {
  readonly image: "front" | "back";
  readonly part: Pick<Extract<Reference, { readonly image: Uint8Array }>, "area">;
};

/**
 * The reference that a document gives. It is the portrait by which the document was judged: a larger face
 * beside the card is none. Without a read portrait, the whole front counts where the document cannot be
 * approved any more, so that a finding against the person stands. Undefined where it was or may be approved:
 * no face is known to be the holder's.
 */
export const referenceOf = (found: Found | "gone"): DocumentReference | undefined => {
  if (found === "gone") return { image: "front", part: {} };
  const { portrait, status } = found.record;
  if (portrait !== undefined) return { image: portrait.image, part: { area: portrait.area } };
  const mayBeApproved = found.status !== "FAILED" && (status === "Approved" || status === "Review");
  return mayBeApproved || isUndecided(found) ? undefined : { image: "front", part: {} };
};

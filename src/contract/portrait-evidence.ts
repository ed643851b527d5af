/**
 * What shows that the portrait of a document belongs to it, weakest first.
 * - `unproven`: nothing.
 * - `print-consistent`: its print fits the card around it, as far as an image shows that. A good forgery fits too.
 * - `reference`: its face is that of the user who is registered under the caller's reference.
 * - `ghost`: a second image of the face on the same document shows the same person. A good forgery fits too:
 *   who pastes portrait and ghost of one person gets it.
 * - `registry`: a civil registry has the same face.
 * - `chip`: the document's chip, signed by its issuer, has the same face.
 */
export const portraitEvidences = [
  "unproven",
  "print-consistent",
  "reference",
  "ghost",
  "registry",
  "chip",
] as const;

export type PortraitEvidence = (typeof portraitEvidences)[number];

/** Whether one kind of evidence is worth as much as another. */
export const isEvidence = (found: PortraitEvidence, least: PortraitEvidence): boolean =>
  portraitEvidences.indexOf(found) >= portraitEvidences.indexOf(least);

import type { ReasonCode } from "#contract/reason-code";
import { fromImages, given, notGiven, type ReasonRow, withReference } from "./row.ts";

/** Reasons of the request and of its processing. */
export const requestReasons = {
  121: given(
    {
      from: "the request and the policy",
      decisions: [9102],
      when: "`reference: registeredUser` of the policy, and the request has no `merchantIdScanReference`",
      next: "Send the document again with the user's identifier",
    },
    "A policy with `reference`, and a start without `merchantIdScanReference`",
    withReference,
  ),
  129: notGiven(
    "this service",
    "the request and the policy",
    "input",
    "the interface has one workflow, and an incomplete request is answered 400",
  ),
  201: notGiven(
    "this service",
    "the request",
    "input",
    "start refuses a missing image and one that cannot be decoded (400, 422), before there is a validation",
  ),
  545: notGiven(
    "this service",
    "the request",
    "input",
    "start carries no reference image, so none can be missing",
  ),
  603: notGiven("none", "a video", "input", "the interface carries no video"),
  608: given(
    {
      from: "MRZs and faces of both sides",
      decisions: [9103],
      when:
        "Both images of a two-sided document show an MRZ of three lines, which is on backs, and no portrait; or the image that was " +
        "sent as the front shows a face, and the document's front is the other image",
      next: "Ask for the front",
    },
    "Two images of a card's back",
    fromImages,
  ),
  609: given(
    {
      from: "the request, and the data of the front",
      decisions: [9103],
      when: "A two-sided document was sent without its back, with an image without a document in its place or with the same file twice, and its data is not on the front",
      next: "Ask for the back",
    },
    "Send a card's front alone to the first version, or the same file as front and back",
    fromImages,
  ),
  635: notGiven("this service", "the request", "input", "start carries only document images"),
  640: notGiven("none", "a consent flag", "input", "the interface has no such field"),
  648: given(
    {
      from: "the analysis itself",
      decisions: [9103],
      when:
        "The analysis failed three times, a stored image could no longer be read, or an external provider refused it or failed " +
        "for too long; `status` is FAILED",
      next: "Send the same images again; it does not count as an attempt",
    },
    "No image causes it: an error of the service does",
    {
      file: "src/judging/document/validation/validation.engine.test.ts",
      title: "gives up after three attempts with FAILED and reason 648",
      whyNoImage: "an error of the service causes it, independent of the images",
    },
  ),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

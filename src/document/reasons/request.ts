import type { ReasonCode } from "#contract/reason-code";
import { fromPictures, given, notGiven, type ReasonRow, withReference } from "./row.ts";

/** Faults of what was sent and of how it was worked on. */
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
    "the interface has one workflow, and what it lacks is answered 400",
  ),
  201: notGiven(
    "this service",
    "the request",
    "input",
    "a picture that is absent or cannot be decoded is refused by start (400, 422) before there is a validation",
  ),
  545: notGiven(
    "this service",
    "the request",
    "input",
    "start carries no reference picture, so that none can be missing",
  ),
  603: notGiven("nobody", "a video", "input", "the interface carries no video"),
  608: given(
    {
      from: "zones and faces of both sides",
      decisions: [9103],
      when: "Both pictures of a two-sided document show a zone of three lines, which stands on backs, and no portrait",
      next: "Ask for the front",
    },
    "Two pictures of a card's back",
    fromPictures,
  ),
  609: given(
    {
      from: "the request, and the data of the front",
      decisions: [9103],
      when: "A two-sided document came without its back, with a picture of no document in its place or with the same file twice, and its data is not on the front",
      next: "Ask for the back",
    },
    "Send a card's front alone to the first version, or the same file as front and back",
    fromPictures,
  ),
  635: notGiven("this service", "the request", "input", "start carries document pictures only"),
  640: notGiven("nobody", "a consent flag", "input", "the interface has no such field"),
  648: given(
    {
      from: "the analysis itself",
      decisions: [9103],
      when:
        "The analysis failed three times, a picture could not be read any more, or a provider outside refused it or failed too " +
        "long; `status` is FAILED",
      next: "Send the same pictures again; it does not count as an attempt",
    },
    "No picture brings it: an error of the service does",
    {
      file: "src/document/validation/validation.test.ts",
      title: "gives up after three attempts with FAILED and reason 648",
      unpictured: "an error of the service brings it, whatever the pictures show",
    },
  ),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

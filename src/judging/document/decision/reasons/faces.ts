import type { ReasonCode } from "#contract/reason-code";
import { ask, given, notGiven, type ReasonRow, withReference } from "./row.ts";

const noSelfie = (from: string): ReasonRow =>
  notGiven("this service", from, "input", "start carries only document images, and no face");

/** The holder's face beside the document. */
export const faceReasons = {
  103: noSelfie("portrait and selfie"),
  120: given(
    {
      from: "the portrait and the template that is registered under `merchantIdScanReference`",
      decisions: [9121],
      when:
        "`reference: registeredUser` of the policy: the portrait does not match at the rate of `IDEM_FMR_DOCUMENT`, or one of " +
        "the two has no face that could be compared. 9102 where the policy sets it",
      next: ask,
    },
    "Register a user, then send another person's document under that reference",
    withReference,
  ),
  202: noSelfie("the selfie"),
  502: noSelfie("faces in the selfie"),
  509: noSelfie("portrait and selfie"),
  515: noSelfie("liveness of the selfie"),
  543: notGiven(
    "this service",
    "the reference face",
    "input",
    "a template is registered only from a face of sufficient quality, and no other reference is used",
  ),
  546: noSelfie("quality of the selfie"),
  547: noSelfie("the selfie"),
  548: noSelfie("liveness of the selfie"),
  605: noSelfie("the selfie"),
  606: noSelfie("quality of the selfie"),
  641: noSelfie("faces in the selfie"),
  646: noSelfie("the age estimated from the selfie"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

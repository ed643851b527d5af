import type { ReasonCode } from "#contract/reason-code";
import { notGiven, type ReasonRow } from "./row.ts";

const noSelfie = (from: string): ReasonRow =>
  notGiven("this service", from, "input", "start carries document pictures only, and no face beside them");

/** The holder's face beside the document. */
export const faceReasons = {
  103: noSelfie("portrait and selfie"),
  120: notGiven(
    "this service",
    "portrait and reference",
    "check",
    "validations of this release take no registered user as reference",
  ),
  202: noSelfie("the selfie"),
  502: noSelfie("faces in the selfie"),
  509: noSelfie("portrait and selfie"),
  515: noSelfie("liveness of the selfie"),
  543: notGiven(
    "this service",
    "the reference face",
    "input",
    "a template is registered only from a face that is good enough, and no other reference is taken",
  ),
  546: noSelfie("quality of the selfie"),
  547: noSelfie("the selfie"),
  548: noSelfie("liveness of the selfie"),
  605: noSelfie("the selfie"),
  606: noSelfie("quality of the selfie"),
  641: noSelfie("faces in the selfie"),
  646: noSelfie("the age estimated from the selfie"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

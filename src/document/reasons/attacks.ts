import type { ReasonCode } from "#contract/reason-code";
import { notGiven, type ReasonRow } from "./row.ts";

const later = (from: string): ReasonRow =>
  notGiven("this service", from, "check", "validations of this release do not ask for it");

/** Copies, screens and forgeries. */
export const attackReasons = {
  101: later("signs of a recapture whose kind cannot be told"),
  501: later("all signs of fraud together"),
  503: later("signs of an attack whose kind cannot be told"),
  504: later("signs of a screen"),
  505: later("signs of a printed copy"),
  506: later("the region of the portrait"),
  526: notGiven(
    "a provider",
    "the capture SDK",
    "input",
    "a virtual camera is seen on the device alone, and no request carries what the SDK saw",
  ),
  549: notGiven("this service", "the chip of the document", "input", "no request carries what a chip says"),
  636: later("weak signs of a screen"),
  637: later("weak signs of a printed copy"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

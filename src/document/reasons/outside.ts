import type { ReasonCode } from "#contract/reason-code";
import { notGiven, type ReasonRow } from "./row.ts";

const registry = (from: string): ReasonRow =>
  notGiven(
    "a provider",
    from,
    "provider",
    "no civil registry is connected; the check is then recorded as not made",
  );

/** What only somebody outside knows. */
export const outsideReasons = {
  112: notGiven(
    "a provider",
    "the address of the person",
    "input",
    "calls come from the integrator's server; the person's own address comes with tracking",
  ),
  123: registry("the registry's answer"),
  126: notGiven(
    "a provider",
    "a list of politically exposed persons",
    "provider",
    "this release takes no such list",
  ),
  527: notGiven("nobody", "a proof of address", "input", "the interface carries none"),
  528: notGiven("nobody", "a proof of address", "input", "the interface carries none"),
  544: registry("the registry's silence"),
} as const satisfies Partial<Record<ReasonCode, ReasonRow>>;

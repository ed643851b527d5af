import type { Certificate } from "#trust/asn1/certificate";
import type { RevocationFact } from "./revocation-fact.ts";

/**
 * Clocks of authorities and of this machine may differ by this time: signed time-stamps and answers are
 * compared.
 */
export const clockSkewMs = 300_000;

/**
 * Without nextUpdate newer information is always available (RFC 6960, 2.4): such an answer holds for a day.
 */
const withoutNextUpdateMs = 86_400_000;

/** What a fact says of a certificate at one time (milliseconds since 1970). */
export type StatusAt =
  | { readonly kind: "good" }
  | { readonly kind: "revoked"; readonly at: number; readonly reason: number | undefined }
  | { readonly kind: "undecided"; readonly reason: string };

const undecided = (reason: string): StatusAt => ({ kind: "undecided", reason });

/**
 * Judges a fact at a time. An answer that is newer than the time proves it for good, since no revocation
 * ends; an older one only until its nextUpdate. An authority may drop a certificate from its lists after its
 * end: such an answer proves nothing.
 */
export const judgeFact = (
  { status, thisUpdate, nextUpdate }: Pick<RevocationFact, "status" | "thisUpdate" | "nextUpdate">,
  { validTo }: Pick<Certificate, "validTo">,
  at: number,
): StatusAt => {
  if (status.kind === "revoked" && status.at <= at) return status;
  if (status.kind === "unknown") return undecided("its authority does not know the certificate");
  if (thisUpdate > validTo) return undecided("the status was made after the certificate had expired");
  const holdsUntil = (nextUpdate ?? thisUpdate + withoutNextUpdateMs) + clockSkewMs;
  return thisUpdate >= at || holdsUntil >= at ? { kind: "good" } : undecided("the status is too old");
};

/** A certificate of the development authority. */
export type Role = "root" | "issuing" | "signer" | "stamper" | "responder";

const dayMs = 86_400_000;
const yearMs = 365.25 * dayMs;

/**
 * How long each certificate is valid. A time-stamp is provable until its certificate ends, so that one lasts
 * longest below the authorities (ETSI EN 319 421, 7.6.2).
 */
export const lifetimesMs: Readonly<Record<Role, number>> = {
  root: 40 * yearMs,
  issuing: 39 * yearMs,
  signer: 3 * yearMs,
  stamper: 10 * yearMs,
  responder: 3 * yearMs,
};

/** Time before the end of a certificate from which a start makes a new one: a process may run for long. */
const renewedBeforeMs = { signer: 180 * dayMs, responder: 180 * dayMs, stamper: 5 * yearMs } as const;

/**
 * Which certificates to make anew, from the last millisecond of each: none, those below the authorities, or
 * all.
 */
export const judgeRenewal = (
  ends: Readonly<Record<Role, number>>,
  now: number,
): "none" | "leaves" | "all" => {
  const isNear = (role: keyof typeof renewedBeforeMs): boolean => ends[role] - now < renewedBeforeMs[role];
  if (!isNear("signer") && !isNear("responder") && !isNear("stamper")) return "none";
  const authoritiesEnd = Math.min(ends.root, ends.issuing);
  return authoritiesEnd > now + lifetimesMs.stamper ? "leaves" : "all";
};

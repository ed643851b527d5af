/** Statuses whose `Retry-After` counts. */
const statuses: readonly number[] = [429, 503];

/** A week: no receiver may delay a delivery beyond its whole schedule. */
const secondsMax = 604_800;

/**
 * Milliseconds that a receiver asks to wait (RFC 9110, 10.2.3): seconds or a date. Undefined for none or
 * nonsense.
 */
export const retryAfterOf = (
  status: number,
  headers: Readonly<Record<string, string>>,
  now: Date,
): number | undefined => {
  const text = headers["retry-after"]?.trim();
  if (text === undefined || !statuses.includes(status)) return undefined;
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.round(Math.min(Math.max(seconds, 0), secondsMax) * 1000);
};

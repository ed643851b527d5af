/** When a kept document is extended, in milliseconds. */
export type ExtensionTimes = {
  readonly now: Date;
  /** End of the last time-stamp's certificate. */
  readonly provableUntil: Date | undefined;
  /** End of the document's retention. */
  readonly keptUntil: Date;
  /**
   * Validation data is missing that a later extension may have; the time-stamp before holds until this time.
   */
  readonly gapsUntil?: Date | undefined;
};

/**
 * Time before the end of a time-stamp at which a document is extended. Our choice: an outage of all
 * authorities, or an expired contract with them, is noticed and mended in three months.
 */
export const leadMs = 90 * 86_400_000;

/** A document with gaps is not extended more often: each extension adds some 20 kB. Our choice. */
const retryMsMin = 86_400_000;

/**
 * The next try where data is missing: after a tenth of the time in which it can still be had; undefined near
 * its end.
 */
const retryAt = (now: number, until: number): number | undefined => {
  const next = now + Math.max(retryMsMin, (until - now) / 10);
  return next < until ? next : undefined;
};

/**
 * When a document is extended next: 90 days before its last time-stamp's certificate ends, or in half the
 * time where that is shorter. Sooner while validation data is missing. Undefined
 * where the document needs no extension: it has no document time-stamp, or is removed before.
 */
export const judgeExtension = ({
  now,
  provableUntil,
  keptUntil,
  gapsUntil,
}: ExtensionTimes): Date | undefined => {
  if (provableUntil === undefined || provableUntil >= keptUntil) return undefined;
  const half = (now.getTime() + provableUntil.getTime()) / 2;
  const usual = Math.max(provableUntil.getTime() - leadMs, half);
  const retry = gapsUntil && retryAt(now.getTime(), gapsUntil.getTime());
  return new Date(Math.floor(Math.min(usual, retry ?? usual)));
};

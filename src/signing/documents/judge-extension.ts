/** When a kept document is extended, in milliseconds. */
export type ExtensionTimes = {
  readonly now: Date;
  /** End of the last time-stamp's certificate. */
  readonly provableUntil: Date | undefined;
  /** End of the document's retention. */
  readonly keptUntil: Date;
};

/**
 * Time before the end of a time-stamp at which a document is extended. Our choice: an outage of all authorities, or an expired
 * contract with them, is noticed and mended in three months.
 */
export const leadMs = 90 * 86_400_000;

/**
 * When a document is extended next: 90 days before its last time-stamp's certificate ends, or in half the time where that is
 * shorter. Undefined where the document needs no extension: it has no document time-stamp, or is removed before.
 */
export const judgeExtension = ({ now, provableUntil, keptUntil }: ExtensionTimes): Date | undefined => {
  if (provableUntil === undefined || provableUntil >= keptUntil) return undefined;
  const half = (now.getTime() + provableUntil.getTime()) / 2;
  return new Date(Math.floor(Math.max(provableUntil.getTime() - leadMs, half)));
};

/** The columns that decide. Times are milliseconds; a row without a token has the serial 0. */
export type TokenState = {
  serial: number;
  revision: number;
  refreshAt: number;
  expiresAt: number;
  /** Null beside a time in `leasedUntil`: a renewal failed, and the next one waits until then. */
  leasedBy: string | null;
  leasedUntil: number;
};

/** What a worker needs. */
export type TokenNeed = {
  readonly revision: number;
  readonly refusedSerial?: number;
  readonly now: number;
};

export type TokenVerdict = {
  /** `due`: this worker renews the token. `held`: another worker does, or a failed renewal pauses. */
  readonly kind: "fresh" | "due" | "held";
  /** Whether the stored token may still be sent. */
  readonly works: boolean;
};

/**
 * Judges the token of a destination for one worker. A token works until it expires, unless the receiver
 * refused it or the destination changed after it was issued.
 */
export const judgeToken = (
  row: TokenState,
  { revision, refusedSerial = 0, now }: TokenNeed,
): TokenVerdict => {
  const works = row.serial > refusedSerial && row.revision >= revision && now < row.expiresAt;
  if (works && now < row.refreshAt) return { kind: "fresh", works };
  // A pause after a failed renewal spares the token server only while the former token works.
  const isHeld = row.leasedUntil > now && (row.leasedBy !== null || works);
  return { kind: isHeld ? "held" : "due", works };
};

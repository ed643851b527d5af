/**
 * Numbers of `facialAuthenticationResult` and `serviceFacialAuthenticationResult`, by event value.
 * `Uncertain` is never sent: no setting enables the uncertain band, because integrators of the interface
 * expect 3 and "not 3".
 */
export const facialAuthenticationNumber = {
  /** The comparison could not be performed. */
  None: 0,
  /** Different persons. */
  Negative: 1,
  /** The similarity is between the two thresholds. */
  Uncertain: 2,
  /** The same person. */
  Positive: 3,
  /** The head is rotated too far from frontal. */
  NoneBecausePoseExceed: 4,
  /** A face could not be encoded, or its template belongs to another model. */
  NoneBecauseInvalidExtractions: 5,
} as const;

/** Event value of a facial authentication. */
export type FacialAuthentication = keyof typeof facialAuthenticationNumber;

/** Number of a facial authentication on the wire. */
export type FacialAuthenticationNumber = (typeof facialAuthenticationNumber)[FacialAuthentication];

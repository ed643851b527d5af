import type { Throttle } from "#storage/person";

/** What may be decided otherwise about registered users. Stored decisions name the version. */
export type PeoplePolicy = {
  readonly version: string;
  readonly throttle: Throttle;
  /**
   * Whether a `template` in place of a best image can authenticate. It shows no picture whose liveness could be judged:
   * where this is `accepted`, the operator says that the capture was judged elsewhere.
   */
  readonly templateWithoutPicture: "refused" | "accepted";
};

/**
 * NIST SP 800-63B-4, 3.2.3: a biometric factor pauses for 30 seconds or more after 5 failures in a row and is disabled
 * after 50. The doubled figures for a service with presentation attack detection are not claimed: the liveness of one
 * picture is advisory. A template without a picture is refused because the interface asks for "a match and a passed
 * liveness check".
 */
export const defaultPeoplePolicy: PeoplePolicy = {
  version: "people-1",
  throttle: { pauseFrom: 5, pauseMs: 30_000, disableAt: 50 },
  templateWithoutPicture: "refused",
};

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
  readonly search: SearchPolicy;
};

export type SearchPolicy = {
  /**
   * What becomes of a face that is registered under another identifier already. `off`: nobody looks, and no template is
   * opened but for its own user's call. `flag`: an enrolment notes it, and a person looks at a document with it.
   * `refuse`: it is not enrolled, and a document with it is not approved either.
   */
  readonly duplicates: "off" | "flag" | "refuse";
  /** Share of searches for somebody who is not in the gallery that may find somebody all the same. */
  readonly fpir: {
    /** For what a person looks at. */
    readonly review: number;
    /** For what turns a person away. */
    readonly refusal: number;
  };
};

/** A hit for a search, however large the gallery: more tell an operator nothing that ten do not. */
export const hitsMax = 10;

/**
 * NIST SP 800-63B-4, 3.2.3: a biometric factor pauses for 30 seconds or more after 5 failures in a row and is disabled
 * after 50. The doubled figures for a service with presentation attack detection are not claimed: the liveness of one
 * picture is advisory. A template without a picture is refused because the interface asks for "a match and a passed
 * liveness check".
 *
 * Search: off, because to identify people among all others needs a legal ground of its own in most places, and because it
 * holds every template open in memory. The two rates are a choice: at 1 % in 10,000 faces 35 % of the duplicates are
 * missed, at 10 % 20 % (docs/decisions/0016-one-to-many-search.md).
 */
export const defaultPeoplePolicy: PeoplePolicy = {
  version: "people-2",
  throttle: { pauseFrom: 5, pauseMs: 30_000, disableAt: 50 },
  templateWithoutPicture: "refused",
  search: { duplicates: "off", fpir: { review: 0.1, refusal: 0.01 } },
};

/** The policy under the operator's settings; its version names what differs, so that stored decisions do. */
export const withSettings = (
  policy: PeoplePolicy,
  { templateWithoutPicture, search }: Pick<PeoplePolicy, "templateWithoutPicture" | "search">,
): PeoplePolicy => {
  const changes = [
    ...(templateWithoutPicture === policy.templateWithoutPicture ? [] : ["no-picture"]),
    ...(search.duplicates === policy.search.duplicates ? [] : [`duplicates=${search.duplicates}`]),
    ...(search.fpir.refusal === policy.search.fpir.refusal ? [] : [`fpir=${search.fpir.refusal}`]),
  ];
  return {
    ...policy,
    version: [policy.version, ...changes].join("+"),
    templateWithoutPicture,
    search,
  };
};

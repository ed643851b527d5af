import type { Throttle } from "./store/user.ts";

/** The decisions about registered users that an operator can change. Stored decisions name the version. */
export type UserPolicy = {
  readonly version: string;
  readonly throttle: Throttle;
  /**
   * Whether a `template` in place of a best image can authenticate. It has no image for a liveness judgement.
   * With `accepted`, the operator states that another system judged the capture.
   */
  readonly templateWithoutImage: "refused" | "accepted";
  readonly references: ReferencePolicy;
  readonly search: SearchPolicy;
};

/** When the face of a login joins the references of its user. */
export type ReferencePolicy = {
  /** References of a user, the registered template among them. 1: no face joins. */
  readonly max: number;
  /** The false match rate, in the worst group, at which the face must match the registered template alone. */
  readonly falseMatchRate: number;
  /** Milliseconds since the last reference: images of one day differ too little. */
  readonly apartMs: number;
};

export type SearchPolicy = {
  /**
   * The rule for a face that is already registered under another identifier. `off`: no search, and a template
   * is opened only for a call of its own user. `flag`: an enrolment records it, and a reviewer checks a
   * document with that face. `refuse`: the enrolment is refused, and a document with that face is not
   * approved.
   */
  readonly duplicates: "off" | "flag" | "refuse";
  /** The share of searches for a face outside the gallery that may return a match. */
  readonly fpir: {
    /** For matches that a reviewer checks. */
    readonly review: number;
    /** For matches that refuse. */
    readonly refusal: number;
  };
};

/** The most matches of one search, for any size of gallery. An operator learns nothing from more than ten. */
export const matchesMax = 10;

/**
 * NIST SP 800-63B-4, 3.2.3: a biometric factor pauses for 30 seconds or more after 5 failures in a row and is
 * disabled after 50. The doubled figures for a service with presentation attack detection are not claimed:
 * the liveness of one image is advisory. A template without an image is refused because the interface asks
 * for "a match and a passed liveness check".
 *
 * Search is off: in most places identification needs a legal basis of its own, and it holds every template
 * open in memory. The two rates are a choice: among 10,000 faces, 1 % misses 35 % of the duplicates and 10 %
 * misses 20 % (docs/decisions/0016-one-to-many-search.md).
 *
 * No face joins: each reference is one more stored template. Where faces join, each must match the template
 * of the enrolment itself, so that many small steps lead to no other face
 * (docs/decisions/0057-several-references.md).
 */
export const defaultUserPolicy: UserPolicy = {
  version: "people-2",
  throttle: { pauseFrom: 5, pauseMs: 30_000, disableAt: 50 },
  templateWithoutImage: "refused",
  references: { max: 1, falseMatchRate: 1e-4, apartMs: 24 * 3_600_000 },
  search: { duplicates: "off", fpir: { review: 0.1, refusal: 0.01 } },
};

/** What the operator sets of the policy. */
export type ChosenUserPolicy = Pick<UserPolicy, "templateWithoutImage" | "search"> & {
  readonly references: Pick<ReferencePolicy, "max">;
};

/**
 * The policy with the operator's settings. The version names each difference, so that stored decisions name
 * it too.
 */
export const withSettings = (
  policy: UserPolicy,
  { templateWithoutImage, references, search }: ChosenUserPolicy,
): UserPolicy => {
  const changes = [
    ...(templateWithoutImage === policy.templateWithoutImage ? [] : ["no-picture"]),
    ...(references.max === policy.references.max ? [] : [`references=${references.max}`]),
    ...(search.duplicates === policy.search.duplicates ? [] : [`duplicates=${search.duplicates}`]),
    ...(search.fpir.refusal === policy.search.fpir.refusal ? [] : [`fpir=${search.fpir.refusal}`]),
  ];
  return {
    ...policy,
    version: [policy.version, ...changes].join("+"),
    templateWithoutImage,
    references: { ...policy.references, ...references },
    search,
  };
};

/** Whether a captured selfie that one image alone shows to be live needs a person: pure. */
import type { AssuranceLevel } from "#contract/liveness";

/**
 * What the operator does with such a selfie: `review` leaves it to a person, `accepted` takes it as any
 * other.
 */
export type OneImageRule = "review" | "accepted";

/** What the liveness of a judged selfie rests on. The record of the decision has it. */
export type SelfieBasis = {
  readonly level: AssuranceLevel;
  /** Whether a capture session of this service took the selfie: it could have asked for a challenge. */
  readonly isCaptured: boolean;
  /** The operator's rule at the time of the decision. */
  readonly oneImage: OneImageRule;
};

/** The levels that rest on more than one image. */
const severalImages: readonly AssuranceLevel[] = ["multi-frame", "active-turn"];

/** One image alone is the fallback for a person who cannot answer a challenge. */
export const needsPerson = ({ level, isCaptured, oneImage }: SelfieBasis): boolean =>
  oneImage === "review" && isCaptured && !severalImages.includes(level);

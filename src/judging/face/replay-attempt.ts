import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { FacePolicy } from "./policy.ts";
import { type Replayed, replayComparison, replayLiveness, type WithNetwork } from "./replay-halves.ts";

/**
 * A registered user's authentication attempt as features/users/attempt.ts stores it: the reference if it was
 * an image, then the best image if any.
 */
const storedAttempt = Type.Object({
  pictures: Type.Array(Type.Unknown()),
  /**
   * The comparison of the reference with the registered template, if it failed: then nothing else was judged.
   */
  reference: Type.Unknown(),
  comparison: Type.Unknown(),
  liveness: Type.Unknown(),
  /** Only for enrolment candidates: they were compared with the reference itself. */
  search: Type.Optional(Type.Unknown()),
});
type StoredAttempt = Type.Static<typeof storedAttempt>;

const isAttempt = makeCheck(storedAttempt);
/** A judged None has an attack score: without one there was no image to judge. */
const isWithoutImage = makeCheck(Type.Object({ result: Type.Literal("None"), attackScore: Type.Null() }));

const template = { kind: "template" };

/**
 * Judges an authentication attempt of a registered user again. The match of the reference with the registered
 * template is not judged again: its score is stored only for a failure.
 */
export const replayAttempt = (
  stored: unknown,
  policy: FacePolicy,
  withNetwork: WithNetwork,
): Replayed | undefined => {
  if (!isAttempt.Check(stored)) return undefined;
  return stored.reference === null
    ? replayJudged(stored, policy, withNetwork)
    : replayRefused(stored, policy);
};

const replayJudged = (
  { pictures: images, comparison, liveness: stored, search }: StoredAttempt,
  policy: FacePolicy,
  withNetwork: WithNetwork,
): Replayed => {
  const hasImage = !isWithoutImage.Check(stored);
  const probe = hasImage ? images.at(-1) : template;
  const liveness = hasImage
    ? replayLiveness(stored, probe, policy, withNetwork)
    : ({ was: "None", now: "None" } as const);
  const reference = images.slice(0, hasImage ? -1 : undefined)[0];
  // With a reference image the record does not state the other side: the reference itself, as at a first
  // attempt, or the registered template. The reference had to match that template, by a score that is not
  // stored either.
  const against = reference === undefined ? template : search === undefined ? undefined : reference;
  const facial = replayComparison(comparison, [against, probe], policy, true);
  return { ...(facial && { facial }), ...(liveness && { liveness }) };
};

const replayRefused = (
  { pictures: images, reference }: StoredAttempt,
  policy: FacePolicy,
): Replayed | undefined => {
  const ofReference = replayComparison(reference, [images[0] ?? template, template], policy, true);
  if (ofReference === undefined) return undefined;
  const isOpen = ofReference.now === "Positive" || ofReference.now === "unknown";
  const half = { was: "None", now: isOpen ? "unknown" : "None" } as const;
  return { facial: half, liveness: half };
};

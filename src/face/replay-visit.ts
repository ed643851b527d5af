import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { FacePolicy } from "./policy.ts";
import { type Replayed, replayComparison, replayLiveness, type WithNetwork } from "./replay-halves.ts";

/** A registered user's visit as people/visit.ts keeps it: the reference where it was a picture, then the best image if any. */
const keptVisit = Type.Object({
  pictures: Type.Array(Type.Unknown()),
  /** The reference beside the registered template, where it was not the user's: then nothing else was judged. */
  reference: Type.Unknown(),
  comparison: Type.Unknown(),
  liveness: Type.Unknown(),
  /** Only of newcomers: they were compared with the reference itself. */
  search: Type.Optional(Type.Unknown()),
});
type KeptVisit = Type.Static<typeof keptVisit>;

const isVisit = Compile(keptVisit);
/** A judged None has a score of attack: without one there was no picture to judge. */
const isUnseen = Compile(Type.Object({ result: Type.Literal("None"), attackScore: Type.Null() }));

const template = { kind: "template" };

/**
 * Judges a visit of a registered user again. That the reference is the user's stays as it was: what it scored is kept only
 * where it is not.
 */
export const replayVisit = (
  kept: unknown,
  policy: FacePolicy,
  withNetwork: WithNetwork,
): Replayed | undefined => {
  if (!isVisit.Check(kept)) return undefined;
  return kept.reference === null ? replayJudged(kept, policy, withNetwork) : replayRefused(kept, policy);
};

const replayJudged = (
  { pictures, comparison, liveness: kept, search }: KeptVisit,
  policy: FacePolicy,
  withNetwork: WithNetwork,
): Replayed => {
  const isPictured = !isUnseen.Check(kept);
  const probe = isPictured ? pictures.at(-1) : template;
  const liveness = isPictured
    ? replayLiveness(kept, probe, policy, withNetwork)
    : ({ was: "None", now: "None" } as const);
  const reference = pictures.slice(0, isPictured ? -1 : undefined)[0];
  // Beside a reference picture it is not kept whether the person was compared with it, as at a first visit, or with the
  // registered template, which it had to match by a score that is not kept either.
  const against = reference === undefined ? template : search === undefined ? undefined : reference;
  const facial = replayComparison(comparison, [against, probe], policy, true);
  return { ...(facial && { facial }), ...(liveness && { liveness }) };
};

const replayRefused = ({ pictures, reference }: KeptVisit, policy: FacePolicy): Replayed | undefined => {
  const whose = replayComparison(reference, [pictures[0] ?? template, template], policy, true);
  if (whose === undefined) return undefined;
  const isOpen = whose.now === "Positive" || whose.now === "unknown";
  const half = { was: "None", now: isOpen ? "unknown" : "None" } as const;
  return { facial: half, liveness: half };
};

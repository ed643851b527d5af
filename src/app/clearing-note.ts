import type { ScoreScale } from "#judging/face/matching/score-scale";
import type { Config } from "#machine/config/config";

/**
 * What the default policy of clearing accepts, for the operator of a production service: tokens are issued to
 * each key with the scope, also without a clearing entity. Undefined under `strict`.
 */
export const clearingNote = ({
  mode,
  clearing: { assurance },
  faces: { falseMatchRates },
}: {
  readonly mode: Config["mode"];
  readonly clearing: Pick<Config["clearing"], "assurance">;
  readonly faces: Pick<Config["faces"], "falseMatchRates">;
}): string | undefined =>
  mode === "production" && assurance === "interface"
    ? `Clearing tokens need 3, 3 and 9001 alone: a face at a false match rate of ${falseMatchRates.document}, any result Live, a portrait that nothing ties to its document. IDEM_CLEARING_ASSURANCE=strict asks for more`
    : undefined;

/**
 * Why the strict policy of clearing refuses every token under these models and this scale, at the start and
 * in `idem doctor`; undefined where it refuses none for that.
 */
export const strictClearingNote = (
  { clearing: { assurance } }: { readonly clearing: Pick<Config["clearing"], "assurance"> },
  {
    "face-recogniser": slot,
  }: { readonly "face-recogniser"?: { readonly active: readonly unknown[] } | undefined },
  scale: Pick<ScoreScale, "name"> | undefined,
): string | undefined => {
  if (assurance !== "strict") return undefined;
  const isAdded = slot !== undefined && slot.active.length > 0;
  if (!isAdded && scale === undefined) return undefined;
  const uncounted = isAdded ? "an added recogniser" : "an own cohort (IDEM_FACE_COHORT)";
  return `IDEM_CLEARING_ASSURANCE=strict refuses every clearing token: no false match rate was counted with ${uncounted}`;
};

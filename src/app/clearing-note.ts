import type { Config } from "#machine/config/config";

/**
 * What the default policy of clearing accepts, for the operator of a production service; undefined under
 * `strict`.
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
    ? `Clearing tokens need 3, 3 and 9001 alone: a face at a false match rate of ${falseMatchRates.document}, any capture that passes as live, a portrait that nothing ties to its document. IDEM_CLEARING_ASSURANCE=strict asks for more`
    : undefined;

import type { Caller } from "#contract/endpoint";
import type { TokenUse } from "./record.ts";

/** What the store keeps of the uses of a token. */
export type UsedToken = {
  /** Kinds of the calls that used it. Empty: one call that shares it with no other. */
  readonly calls: readonly string[];
  /** Absent in a use that shares the token with no other call. */
  readonly environment?: Caller["environment"];
  /** The operation that the token is bound to. Absent: to its tenant, until `openUntil`. */
  readonly operation?: string;
  readonly openUntil: Date;
};

/** The first use of a token, as the store keeps it. */
export const firstUse = ({ shared, expiresAt }: TokenUse): UsedToken =>
  shared === undefined
    ? { calls: [], openUntil: expiresAt }
    : {
        calls: [shared.call],
        environment: shared.environment,
        openUntil: shared.openUntil,
        ...(shared.operation !== undefined && { operation: shared.operation }),
      };

/**
 * Judges a further use of a token. Returns what the store keeps afterwards; undefined for a use that is refused:
 * of a kind that used it before, of another environment or operation, or without an operation after `openUntil`.
 */
export const judgeTokenUse = (used: UsedToken, { shared }: TokenUse): UsedToken | undefined => {
  if (shared === undefined || used.environment !== shared.environment) return undefined;
  if (used.calls.includes(shared.call)) return undefined;
  const isBound = used.operation !== undefined;
  if (isBound ? shared.operation !== used.operation : shared.at > used.openUntil) return undefined;
  const operation = used.operation ?? shared.operation;
  return {
    calls: [...used.calls, shared.call],
    environment: shared.environment,
    openUntil: used.openUntil,
    ...(operation !== undefined && { operation }),
  };
};

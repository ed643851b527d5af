import type { Caller } from "#contract/endpoint";
import type { SharedUse, TokenUse } from "./record.ts";

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

/** Why a token is not used again. */
export type TokenUseRefusal =
  | "one-call"
  | "other-environment"
  | "other-operation"
  | "no-operation"
  | "same-kind"
  | "too-late";

/** The words of each refusal for the caller. The uses are of the tenant alone, and no value is named. */
export const refusalTexts: Readonly<Record<TokenUseRefusal, string>> = {
  "one-call": "one call used it, and this deployment lets no other call use it",
  "other-environment": "a call of the tenant's other environment (live, test) used it",
  "other-operation": "calls of another tracking.operationId used it",
  "no-operation": "a call with a tracking.operationId used it, and this call sends none",
  "same-kind": "another call of this kind used it",
  "too-late": "a call without a tracking.operationId used it, and the time for further calls is over",
};

/** What the store keeps afterwards, or why the use is refused. */
export type JudgedUse = { readonly used: UsedToken } | { readonly refused: TokenUseRefusal };

/** Judges a further use of a token. */
export const judgeTokenUse = (used: UsedToken, { shared }: TokenUse): JudgedUse => {
  if (shared === undefined || used.environment === undefined) return { refused: "one-call" };
  const refused = refusalOf(used, shared);
  if (refused !== undefined) return { refused };
  const operation = used.operation ?? shared.operation;
  const { environment, openUntil } = used;
  return {
    used: {
      calls: [...used.calls, shared.call],
      environment,
      openUntil,
      ...(operation !== undefined && { operation }),
    },
  };
};

const refusalOf = (used: UsedToken, shared: SharedUse): TokenUseRefusal | undefined => {
  if (used.environment !== shared.environment) return "other-environment";
  const isBound = used.operation !== undefined;
  if (isBound && shared.operation !== used.operation) {
    return shared.operation === undefined ? "no-operation" : "other-operation";
  }
  if (used.calls.includes(shared.call)) return "same-kind";
  return !isBound && shared.at > used.openUntil ? "too-late" : undefined;
};

import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import type { Json } from "#contract/json";
import type { CheckAuthentication } from "#record/transactions/authentication-hash";
import type { TransactionRecord } from "#record/transactions/record";
import type { Authentication } from "../evidence/statement.ts";

export type AuthenticationDeps = {
  readonly findTransaction: (tenantId: string, id: string) => Promise<TransactionRecord | undefined>;
  /** Made by `isPositive` (record/transactions/authentication-hash.ts). */
  readonly isPositive: (record: Pick<TransactionRecord, "endpoint" | "result">) => boolean;
  readonly checkAuthentication: CheckAuthentication;
  /** Greatest age of the authentication. */
  readonly ageMsMax: number;
};

/** What the caller sends of an authentication. */
export type SentAuthentication = { readonly transaction: string; readonly hash: string };

const minuteMs = 60_000;

/** Fails where the authentication cannot carry a signature at `now`. Its hash is checked elsewhere. */
export const refuseAuthentication = (
  record: Pick<TransactionRecord, "endpoint" | "result" | "at">,
  { isPositive, ageMsMax }: Pick<AuthenticationDeps, "isPositive" | "ageMsMax">,
  now: Date,
): void => {
  if (!isPositive(record)) throw new Failure("transaction_not_positive", { endpoint: record.endpoint });
  const ageMs = now.getTime() - record.at.getTime();
  if (ageMs <= ageMsMax) return;
  const ageMinutes = Math.ceil(ageMs / minuteMs);
  throw new Failure("transaction_too_old", { ageMinutes, ageMinutesMax: Math.floor(ageMsMax / minuteMs) });
};

type Group = { readonly [key: string]: Json };

const isGroup = (value: Json | undefined): value is Group =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const numberIn = (measurements: Json, name: string): number | null => {
  const comparison = isGroup(measurements) ? measurements["comparison"] : undefined;
  const value = isGroup(comparison) ? comparison[name] : undefined;
  return typeof value === "number" ? value : null;
};

/**
 * The positive authentication that the caller names. Fails with not_found for a transaction that is unknown,
 * of another tenant or of the other environment: all three answers are the same. Fails with
 * transaction_not_positive, transaction_too_old or authentication_hash_wrong.
 */
export const makeReadAuthentication =
  (deps: AuthenticationDeps) =>
  async (caller: Caller, sent: SentAuthentication, now: Date): Promise<Authentication> => {
    const record = await deps.findTransaction(caller.tenantId, sent.transaction);
    if (record === undefined || record.environment !== caller.environment) throw new Failure("not_found");
    refuseAuthentication(record, deps, now);
    if (!(await deps.checkAuthentication(record, sent.hash))) throw new Failure("authentication_hash_wrong");
    return {
      transaction: record.id,
      endpoint: record.endpoint,
      at: record.at.toISOString(),
      hash: sent.hash.toUpperCase(),
      result: record.result,
      similarity: numberIn(record.measurements, "similarity"),
      falseMatchRate: numberIn(record.measurements, "falseMatchRate"),
      policyVersion: record.policyVersion,
      models: record.models,
    };
  };

export type ReadAuthentication = ReturnType<typeof makeReadAuthentication>;

/**
 * The seam "a call happened": transaction records and steps are made here only. The builders ({@link
 * transactionOf}, {@link stepOf}) are pure and this file imports only types of the contract, so every module
 * may import its values (`.dependency-cruiser.cjs`, `shared`). Writing is an effect: use cases get it as the
 * argument {@link RecordCall}, which src/app builds from the store. A store command that commits more than
 * the record takes the built record and step instead.
 */
import type { Call, CommitCall, KeptAnswer } from "#contract/endpoint";
import type { Json } from "#contract/json";
import type { OperationDetails, OperationStep, TrackCall } from "./operation-step.ts";
import type { EvidenceEntry, Step, TokenUse, TransactionRecord } from "./record.ts";

/**
 * The part of a call that the record needs. `tracking` names the operation to which the call belongs. It can
 * hold personal data, so it is never logged.
 */
export type RecordedCall = Pick<
  Call<unknown>,
  "caller" | "transactionId" | "receivedAt" | "appName" | "tracking" | "family" | "deferCommit"
>;

/** A token of a call. `isSealed` is false for a plain image in its place. */
export type CallToken = Pick<TokenUse, "hash"> & { readonly isSealed?: boolean };

/** The result of a call, with the policy and models behind it. */
export type CallEntry = {
  readonly endpoint: string;
  readonly result: Json;
  readonly measurements: Json;
  readonly policyVersion: string;
  /** Model name to SHA-256 of its weights; none by default. */
  readonly models?: Readonly<Record<string, string>>;
  /** Every token of the call; none by default. */
  readonly tokens?: readonly CallToken[];
};

/** The call's row, for a store command that writes it together with its own rows. */
export const transactionOf = (
  { caller, transactionId, receivedAt, appName }: RecordedCall,
  { endpoint, result, measurements, policyVersion, models = {}, tokens = [] }: CallEntry,
): TransactionRecord => ({
  id: transactionId,
  tenantId: caller.tenantId,
  keyId: caller.keyId,
  environment: caller.environment,
  endpoint,
  at: receivedAt,
  result: withApp(withOrigin(result, tokens), appName),
  measurements,
  policyVersion,
  models,
  tokenHashes: tokens.map(({ hash }) => hash),
});

/** The result, with the number of its plain images that stand in the place of tokens, if there are any. */
const withOrigin = (result: Json, tokens: readonly CallToken[]): Json => {
  const unsealed = tokens.filter(({ isSealed }) => isSealed === false).length;
  return unsealed > 0 && isGroup(result) ? { ...result, unsealed } : result;
};

/** The application that called, as it named itself, beside the result numbers. */
const withApp = (result: Json, app: string | undefined): Json =>
  app !== undefined && isGroup(result) ? { ...result, app } : result;

const isGroup = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The part that commits with a state change; without an argument it is empty. */
export const stepOf = ({
  evidence = [],
  operation,
}: {
  readonly evidence?: readonly EvidenceEntry[];
  readonly operation?: OperationStep | undefined;
} = {}): Step => ({ evidence, ...(operation && { operation }) });

/**
 * Writes the record of a call that changes nothing else, its step and the use of its tokens in one commit. A
 * call that names an operation adds `operationDetails` to it. A caller that has prepared its step already
 * gives it as `operation`.
 *
 * Fails, and writes nothing, with token_replayed if one of `uses` was used before, and with
 * operation_finished if the operation has ended. Under an idempotency key the commit, and with it this
 * failure, comes after the handler has returned, so a use case answers right after it. Made by
 * {@link makeRecordCall}.
 *
 * @example
 * ```ts
 * import type { Call } from "#contract/endpoint";
 * import type { RecordCall } from "#record/transactions/record-call";
 *
 * // The answer is given only after its record has committed.
 * export const greet = async (recordCall: RecordCall, call: Call<unknown>): Promise<string> => {
 *   const result = "hello";
 *   await recordCall(call, { endpoint: "greet", result, measurements: {}, policyVersion: "1" });
 *   return result;
 * };
 * ```
 */
export type RecordCall = (
  call: RecordedCall,
  entry: CallEntry & {
    readonly evidence?: readonly EvidenceEntry[];
    readonly uses?: readonly TokenUse[];
    readonly operationDetails?: OperationDetails;
    readonly operation?: OperationStep;
  },
) => Promise<void>;

type Recorded = readonly [record: TransactionRecord, uses: readonly TokenUse[], step: Step];

type RecordStore = {
  readonly recordTransaction: (...recorded: Recorded) => Promise<void>;
  /** The same, together with the answer. */
  readonly recordAnswered: (...recorded: readonly [...Recorded, answer: KeptAnswer]) => Promise<void>;
};

export const makeRecordCall =
  (store: RecordStore, trackCall: TrackCall): RecordCall =>
  async (call, entry) => {
    const { evidence = [], uses = [], operationDetails } = entry;
    const operation = entry.operation ?? (await trackCall(call, entry.endpoint, operationDetails));
    const recorded: Recorded = [transactionOf(call, entry), uses, stepOf({ evidence, operation })];
    const commit: CommitCall = (answer) =>
      answer === undefined ? store.recordTransaction(...recorded) : store.recordAnswered(...recorded, answer);
    await (call.deferCommit === undefined ? commit(undefined) : call.deferCommit(commit));
  };

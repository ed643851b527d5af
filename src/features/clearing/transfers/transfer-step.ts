import type { Json } from "#contract/json";
import type { Step } from "#record/transactions/record";
import { stepOf } from "#record/transactions/record-call";
import type { Transfer, TransferChange, TransferReason } from "../store/transfer.ts";
import type { TransferContent, TransferSealing } from "./sealed-transfer.ts";
import { judgeMove, type TransferMove } from "./transfer-state.ts";

/** Kinds of evidence about transfers. */
export const transferEvidenceKinds = ["clearing_transfer_created", "clearing_transfer_moved"] as const;

export type StepDeps = {
  readonly sealing: Pick<TransferSealing, "seal">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/** A change of state with its evidence, for the command that commits both. */
export type MovedTransfer = { readonly change: TransferChange; readonly step: Step };

export type Moving = {
  readonly move: TransferMove;
  readonly content: TransferContent;
  readonly reason?: TransferReason;
  /** Whether a wait for the entity ends, or begins anew. */
  readonly restartsWait?: boolean;
  /** The key of the operator who decided; absent for the job. */
  readonly decidedBy?: string;
};

/**
 * Prepares a move of a transfer. The evidence names ids, states and reasons, and no person. Throws Error for
 * a move that the state does not allow.
 */
export const prepareMove = async (
  { sealing, clock, newId }: StepDeps,
  transfer: Transfer,
  { move, content, reason, restartsWait = false, decidedBy }: Moving,
): Promise<MovedTransfer> => {
  const state = judgeMove(transfer.state, move);
  if (state === undefined) throw new Error(`A transfer that is ${transfer.state} takes no move ${move}`);
  const at = clock();
  const { tenantId, id, revision } = transfer;
  const body: Readonly<Record<string, Json>> = {
    transfer: id,
    transaction: transfer.transactionId,
    environment: transfer.environment,
    from: transfer.state,
    to: state,
    move,
    ...(reason !== undefined && { reason }),
    ...(content.statement?.code !== undefined && { code: content.statement.code }),
    ...(decidedBy !== undefined && { key: decidedBy }),
  };
  return {
    change: {
      tenantId,
      id,
      revision,
      state,
      at,
      ...(await sealing.seal(transfer, content)),
      ...(reason !== undefined && { reason }),
      ...(restartsWait && { waitsSince: at }),
    },
    step: stepOf({ evidence: [{ id: newId(), kind: "clearing_transfer_moved", at, body }] }),
  };
};

/** The transfer after a committed change. */
export const movedTo = (transfer: Transfer, change: TransferChange): Transfer => {
  const { reason: _, ...kept } = transfer;
  return {
    ...kept,
    state: change.state,
    revision: change.revision + 1,
    changedAt: change.at,
    sealed: change.sealed,
    dataKeyId: change.dataKeyId,
    ...(change.reason !== undefined && { reason: change.reason }),
    ...(change.waitsSince !== undefined && { waitsSince: change.waitsSince }),
  };
};

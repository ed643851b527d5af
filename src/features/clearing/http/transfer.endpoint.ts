import {
  abandonTransferRoute,
  createTransferRoute,
  listTransfersRoute,
  resumeTransferRoute,
  showTransferRoute,
} from "#contract/clearing-transfer.routes";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { readPagePlace, writePagePlace } from "#contract/page-place";
import type { Transfer } from "../store/transfer.ts";
import type { ShownTransfer, Transfers } from "../transfers/transfers.ts";
import { verificationCodeOf } from "../verification-code.ts";

const pageRowsMax = 50;

const listed = ({ id, transactionId, state, reason, createdAt, changedAt }: Transfer) => ({
  transferId: id,
  serviceTransactionId: transactionId,
  state,
  reason: reason ?? null,
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
});

const wireTransfer = ({ transfer, content: { ticket, token, statement } }: ShownTransfer) => ({
  ...listed(transfer),
  verificationCode: verificationCodeOf(transfer.transactionId) ?? "",
  ticket: ticket ?? null,
  token: token ?? null,
  entity:
    statement === undefined
      ? null
      : {
          code: statement.code ?? null,
          message: statement.message ?? null,
          date: statement.date ?? null,
          errors: [...statement.errors],
        },
});

const stamp = (call: Call<unknown>): string => answeredAt(call).toISOString();

const answerOf = (call: Call<unknown>, shown: ShownTransfer) => ({
  timestamp: stamp(call),
  transfer: wireTransfer(shown),
});

export type TransferEndpointDeps = {
  readonly transfers: Transfers;
  readonly newId: () => string;
};

/** The operator's endpoints of transfers. */
export const transferEndpoints = ({ transfers, newId }: TransferEndpointDeps): readonly Endpoint[] => [
  implement(createTransferRoute, async (call) => {
    const { serviceTransactionId: transactionId, scanReference, affiliate = {} } = call.request;
    const { requiresSecondVerification = false } = call.request;
    // The issue of the token is recorded under an id of its own: the unique transfer makes a retry safe.
    const { caller, receivedAt, signal, appName } = call;
    const issue = {
      caller,
      receivedAt,
      signal,
      transactionId: newId(),
      ...(appName !== undefined && { appName }),
    };
    const wish = { transactionId, scanReference, requiresSecondVerification, affiliate };
    return answerOf(call, await transfers.create(issue, wish));
  }),
  implement(listTransfersRoute, async (call) => {
    const after = readPagePlace(call.request.after);
    const place = after && { createdAt: after.at, id: after.id };
    const rows = await transfers.list(call.caller, pageRowsMax + 1, place);
    const last = rows.length > pageRowsMax ? rows[pageRowsMax - 1] : undefined;
    return {
      timestamp: stamp(call),
      transfers: rows.slice(0, pageRowsMax).map(listed),
      next: last === undefined ? null : writePagePlace({ at: last.createdAt, id: last.id }),
    };
  }),
  implement(showTransferRoute, async (call) =>
    answerOf(call, await transfers.show(call.caller, call.request.transferId)),
  ),
  implement(resumeTransferRoute, async (call) => {
    const { transferId, ticket, withoutTicket = false } = call.request;
    const statement = { isWithoutTicket: withoutTicket, ...(ticket !== undefined && { ticket }) };
    return answerOf(call, await transfers.resume(call.caller, transferId, statement));
  }),
  implement(abandonTransferRoute, async (call) =>
    answerOf(call, await transfers.abandon(call.caller, call.request.transferId)),
  ),
];

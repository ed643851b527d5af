import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { stepOf } from "#record/transactions/record-call";
import type { Affiliate } from "../client/entity.ts";
import type { IssueCall, IssueToken, VerifiedPerson } from "../issue-token.ts";
import type { ClearingCommands } from "../store/clearing-store.ts";
import type { ClearingOwner } from "../store/clearing-token.ts";
import type { Transfer, TransferPlace } from "../store/transfer.ts";
import type { TransferCommands } from "../store/transfer-store.ts";
import { judgeAffiliate, type ReadRut, type StatedAffiliate } from "./affiliate.ts";
import type { FindEntity, IsKeyOf } from "./run-transfer.ts";
import type { TransferContent, TransferSealing } from "./sealed-transfer.ts";
import { judgeMove, judgeResumption } from "./transfer-state.ts";
import { type Moving, movedTo, prepareMove } from "./transfer-step.ts";

/** A wish to transfer the affiliate of an identity call and a document validation. */
export type TransferWish = {
  readonly transactionId: string;
  readonly scanReference: string;
  readonly requiresSecondVerification: boolean;
  readonly affiliate: StatedAffiliate;
};

/** A transfer with its opened content. */
export type ShownTransfer = { readonly transfer: Transfer; readonly content: TransferContent };

export type ResumeStatement = { readonly ticket?: string; readonly isWithoutTicket: boolean };

export type TransfersDeps = {
  readonly store: Pick<
    TransferCommands,
    "createTransfer" | "findTransfer" | "findTransferOf" | "listTransfers" | "decideTransfer"
  > &
    Pick<ClearingCommands, "findClearingCredentials">;
  readonly sealing: TransferSealing;
  readonly issueToken: IssueToken;
  readonly findEntity: FindEntity;
  readonly isKeyOf: IsKeyOf;
  readonly readRut: ReadRut;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Starts the job at once. */
  readonly wake: () => void;
};

/** Transfers as the operator creates, reads and decides them. Made by {@link makeTransfers}. */
export type Transfers = {
  readonly create: (call: IssueCall, wish: TransferWish) => Promise<ShownTransfer>;
  readonly show: (caller: Caller, id: string) => Promise<ShownTransfer>;
  readonly list: (caller: Caller, limit: number, after?: TransferPlace) => Promise<readonly Transfer[]>;
  readonly resume: (caller: Caller, id: string, statement: ResumeStatement) => Promise<ShownTransfer>;
  readonly abandon: (caller: Caller, id: string) => Promise<ShownTransfer>;
};

export const makeTransfers = (deps: TransfersDeps): Transfers => ({
  create: (call, wish) => create(deps, call, wish),
  show: (caller, id) => show(deps, caller, id),
  list: (caller, limit, after) => deps.store.listTransfers(caller, limit, after),
  resume: (caller, id, statement) => resume(deps, caller, id, statement),
  abandon: (caller, id) => abandon(deps, caller, id),
});

/**
 * The entity's credentials belong to one institution. A tenant whose key does not open the certificates has
 * no part in them, also where several tenants share a deployment. Where the tenant's certificates ask for a
 * user, the entity must get the same.
 */
const requireEntity = async (
  { findEntity, isKeyOf, store }: TransfersDeps,
  of: ClearingOwner,
): Promise<void> => {
  const { environment } = of;
  const entity = findEntity(of);
  if (entity === undefined) throw new Failure("clearing_not_configured", { environment, lacks: "entity" });
  if (!(await isKeyOf(of, entity.certificateKey))) {
    throw new Failure("clearing_not_configured", { environment, lacks: "certificate key" });
  }
  const credentials = await store.findClearingCredentials(of);
  if (credentials !== undefined && credentials.user !== entity.credentials?.user) {
    throw new Failure("clearing_not_configured", { environment, lacks: "certificate user" });
  }
};

/** Fails with clearing_affiliate_missing or clearing_affiliate_refused. */
const getAffiliate = (stated: StatedAffiliate, person: VerifiedPerson, readRut: ReadRut): Affiliate => {
  const judged = judgeAffiliate(stated, person, readRut);
  if ("missing" in judged) throw new Failure("clearing_affiliate_missing", { fields: judged.missing });
  if ("refused" in judged) throw new Failure("clearing_affiliate_refused", { reason: judged.refused });
  return judged.affiliate;
};

/**
 * Each precondition and the affiliate are judged before a token is issued. Of two creations at once the
 * loser's token has been issued: its address is never sent, so it ends unused.
 */
const create = async (deps: TransfersDeps, call: IssueCall, wish: TransferWish): Promise<ShownTransfer> => {
  const { caller } = call;
  const { tenantId, environment, keyId } = caller;
  const transactionId = wish.transactionId.toLowerCase();
  await requireEntity(deps, caller);
  refuseSecond((await deps.store.findTransferOf(caller, transactionId))?.id);
  const { scanReference } = wish;
  const affiliateOf = (person: VerifiedPerson) => getAffiliate(wish.affiliate, person, deps.readRut);
  const issued = await deps.issueToken(call, { transactionId, scanReference }, affiliateOf);
  const content: TransferContent = {
    keyId,
    scanReference,
    affiliate: affiliateOf(issued.person),
    requiresSecondVerification: wish.requiresSecondVerification,
    certificateUrl: issued.certificateUrl,
    verifiedAt: issued.verifiedAt.toISOString(),
    expiresAt: issued.expiresAt.toISOString(),
  };
  const id = deps.newId();
  const at = deps.clock();
  const sealed = await deps.sealing.seal({ tenantId, environment, id }, content);
  const body = { transfer: id, transaction: transactionId, environment, key: keyId };
  const evidence = [{ id: deps.newId(), kind: "clearing_transfer_created", at, body }];
  const transfer = { tenantId, environment, id, transactionId, createdAt: at, ...sealed };
  refuseSecond(await deps.store.createTransfer(transfer, stepOf({ evidence })));
  deps.wake();
  return await show(deps, caller, id);
};

const refuseSecond = (transferId: string | undefined): void => {
  if (transferId !== undefined) throw new Failure("clearing_transfer_exists", { transferId });
};

const show = async (
  { store, sealing }: Pick<TransfersDeps, "store" | "sealing">,
  of: ClearingOwner,
  id: string,
): Promise<ShownTransfer> => {
  const transfer = await store.findTransfer(of, id);
  if (transfer === undefined) throw new Failure("not_found");
  return { transfer, content: await sealing.open(transfer) };
};

const resume = async (
  deps: TransfersDeps,
  caller: Caller,
  id: string,
  { ticket, isWithoutTicket }: ResumeStatement,
): Promise<ShownTransfer> => {
  await requireEntity(deps, caller);
  const shown = await show(deps, caller, id);
  const { transfer, content } = shown;
  const move = judgeResumption(transfer.state, {
    hasTicket: content.ticket !== undefined,
    isTicketNamed: ticket !== undefined,
    isWithoutTicket,
  });
  if (move === "state-refused") throw new Failure("clearing_transfer_state", { state: transfer.state });
  if (move === "statement-missing") throw new Failure("clearing_statement_missing");
  const resumed = ticket === undefined ? content : { ...content, ticket };
  const decided = await decide(deps, caller, shown, { move, content: resumed, restartsWait: true });
  deps.wake();
  return decided;
};

const abandon = async (deps: TransfersDeps, caller: Caller, id: string): Promise<ShownTransfer> => {
  const shown = await show(deps, caller, id);
  if (judgeMove(shown.transfer.state, "abandon") === undefined) {
    throw new Failure("clearing_transfer_state", { state: shown.transfer.state });
  }
  return await decide(deps, caller, shown, { move: "abandon", content: shown.content });
};

const decide = async (
  deps: TransfersDeps,
  { keyId }: Caller,
  { transfer }: ShownTransfer,
  moving: Moving,
): Promise<ShownTransfer> => {
  const { change, step } = await prepareMove(deps, transfer, { ...moving, decidedBy: keyId });
  if (!(await deps.store.decideTransfer(change, step))) throw new Failure("clearing_transfer_changed");
  return { transfer: movedTo(transfer, change), content: moving.content };
};

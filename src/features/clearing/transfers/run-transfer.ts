import { Failure } from "#contract/failure";
import type { RunResult } from "#record/jobs/job";
import type { EntityAccess, EntityClient, EntityOutcome, TicketRequest } from "../client/entity.ts";
import type { IssueToken } from "../issue-token.ts";
import type { ClearingOwner } from "../store/clearing-token.ts";
import type { Transfer, TransferReason } from "../store/transfer.ts";
import type { TransferCommands } from "../store/transfer-store.ts";
import { verificationCodeOf } from "../verification-code.ts";
import type { TransferContent, TransferSealing } from "./sealed-transfer.ts";
import { judgeStep, openStates } from "./transfer-state.ts";
import { type MovedTransfer, type Moving, movedTo, prepareMove } from "./transfer-step.ts";

/** The entity of an environment, and how the certificate is opened there. */
export type ConfiguredEntity = Omit<EntityAccess, "timeoutMs"> & {
  /** The API key with which the entity opens certificates. */
  readonly certificateKey: string;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
};

/**
 * Whether the key that opens certificates is an active key of this tenant and environment with the scope for
 * it alone.
 */
export type IsKeyOf = (of: ClearingOwner, key: string) => Promise<boolean>;

export type FindEntity = (of: Pick<Transfer, "environment">) => ConfiguredEntity | undefined;

export type RunTransferDeps = {
  readonly store: Pick<TransferCommands, "moveTransfer">;
  readonly sealing: TransferSealing;
  readonly entity: EntityClient;
  readonly findEntity: FindEntity;
  readonly isKeyOf: IsKeyOf;
  readonly issueToken: IssueToken;
  readonly settings: {
    readonly timeoutMs: number;
    readonly isRepeatable: boolean;
    readonly provider: string;
    readonly verificationType: string;
  };
  readonly holder: string;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Reports a call that failed, to the operator's log. */
  readonly onCallFailed: (transferId: string, cause: unknown) => void;
};

/** Another lease holder or the operator has the transfer. This run must write nothing more. */
export class TransferLost extends Error {
  override readonly name = "TransferLost";
}

/** A certificate must stay open for a clerk of the entity: then a new token is issued. */
const tokenMsMin = 60 * 60_000;
/**
 * After this time an entity that cannot be reached, or gives no token, is the operator's matter. A day has a
 * working day in it.
 */
export const waitMsMax = 24 * 3_600_000;

/**
 * Runs an open transfer to its end, or until the entity must be waited for. Each call has its intent in the
 * store before it leaves, and its answer before the next step. A ticket whose request may have arrived is
 * never asked for again, unless the entity answers it equally.
 */
export const makeRunTransfer =
  (deps: RunTransferDeps) =>
  async (leased: Transfer, signal: AbortSignal): Promise<RunResult<MovedTransfer>> => {
    const run = makeSteps(deps, signal);
    return await run(leased, await deps.sealing.open(leased));
  };

type Running = (transfer: Transfer, content: TransferContent) => Promise<RunResult<MovedTransfer>>;

type Steps = ReturnType<typeof makeMoves>;

/** The writing of a run: each move commits before the next step. */
const makeMoves = (deps: RunTransferDeps) => {
  /** Commits a move that leaves the transfer open. */
  const move = async (transfer: Transfer, moving: Moving): Promise<Transfer> => {
    const { change, step } = await prepareMove(deps, transfer, moving);
    const { tenantId, id } = transfer;
    const isMoved = await deps.store.moveTransfer({ tenantId, id, worker: deps.holder }, change, step);
    if (!isMoved) throw new TransferLost("The transfer has changed");
    return movedTo(transfer, change);
  };
  const end = async (transfer: Transfer, moving: Moving): Promise<RunResult<MovedTransfer>> => ({
    outcome: await prepareMove(deps, transfer, moving),
  });
  /** Goes back to the state before the call and waits, or ends what has waited too long. */
  const wait = async (
    asked: Transfer,
    content: TransferContent,
    back: "not-sent" | "unknown",
    reason: TransferReason,
  ): Promise<RunResult<MovedTransfer>> => {
    const waiting = await move(asked, { move: back, content, reason });
    const isOverdue = deps.clock().getTime() - waiting.waitsSince.getTime() >= waitMsMax;
    if (isOverdue) return await end(waiting, { move: "given-up", content, reason });
    return { waitingSince: waiting.waitsSince };
  };
  return { move, end, wait };
};

type Answered = {
  readonly asked: Transfer;
  readonly content: TransferContent;
  readonly outcome: EntityOutcome;
  readonly member: "ticket" | "token";
};

/** Stores what a call brought. `next` is the step after a ticket. */
const takeAnswer = async (
  { move, end, wait }: Steps,
  { asked, content, outcome, member }: Answered,
  next: Running,
): Promise<RunResult<MovedTransfer>> => {
  if (outcome.kind === "granted") {
    const granted = { ...content, [member]: outcome.value, statement: outcome.statement };
    const moving = { move: "granted", content: granted, restartsWait: true } as const;
    return member === "token" ? await end(asked, moving) : await next(await move(asked, moving), granted);
  }
  if (outcome.kind === "refused") {
    const reason = outcome.isAccess ? "credentials-refused" : "entity-refused";
    return await end(asked, {
      move: "refused",
      content: { ...content, statement: outcome.statement },
      reason,
    });
  }
  if (outcome.kind === "not-sent") return await wait(asked, content, "not-sent", "unreachable");
  const reason = outcome.isAnswered ? "answer-unusable" : "no-answer";
  const { statement = content.statement } = outcome;
  const known = { ...content, ...(statement && { statement }) };
  if (member === "token") return await wait(asked, known, "unknown", reason);
  return await end(asked, { move: "unknown", content: known, reason });
};

const makeSteps = (deps: RunTransferDeps, signal: AbortSignal): Running => {
  const steps = makeMoves(deps);
  const { move, end } = steps;
  const take = async (answered: Answered): Promise<RunResult<MovedTransfer>> => {
    if ("cause" in answered.outcome) deps.onCallFailed(answered.asked.id, answered.outcome.cause);
    return await takeAnswer(steps, answered, run);
  };

  const askTicket: Running = async (asked, content) => {
    const { access, request } = await prepareTicket(deps, asked, content);
    const outcome = await deps.entity.requestTicket(access, request);
    return await take({ asked, content, outcome, member: "ticket" });
  };

  const askToken: Running = async (asked, content) => {
    const { ticket } = content;
    if (ticket === undefined) throw new Error("A transfer without a ticket cannot ask for its token");
    const access = accessOf(deps, asked);
    const outcome = await deps.entity.requestToken(access, ticket);
    return await take({ asked, content, outcome, member: "token" });
  };

  const run: Running = async (transfer, content) => {
    const state = openStates.find((one) => one === transfer.state);
    if (state === undefined) throw new TransferLost("The transfer is settled");
    const step = judgeStep(state, deps.settings.isRepeatable);
    if (step === "ask-ticket") {
      await prepareTicket(deps, transfer, content);
      const fresh = await withFreshToken(deps, transfer, content, signal);
      return await askTicket(await move(transfer, { move: "ask-ticket", content: fresh }), fresh);
    }
    if (step === "repeat-ticket") return await askTicket(transfer, content);
    if (step === "leave-unclear") {
      return await end(transfer, { move: "unknown", content, reason: "interrupted" });
    }
    const asking = step === "ask-token" ? await move(transfer, { move: "ask-token", content }) : transfer;
    return await askToken(asking, content);
  };
  return run;
};

/**
 * The settings of the entity. Without them the transfer waits: the operator may have restarted with other
 * settings.
 */
const accessOf = (
  { findEntity, settings }: RunTransferDeps,
  transfer: Transfer,
): EntityAccess & ConfiguredEntity => {
  const entity = findEntity(transfer);
  if (entity === undefined)
    throw new Failure("clearing_not_configured", { environment: transfer.environment });
  return { ...entity, timeoutMs: settings.timeoutMs };
};

const prepareTicket = async (
  deps: RunTransferDeps,
  transfer: Transfer,
  content: TransferContent,
): Promise<{ readonly access: EntityAccess; readonly request: TicketRequest }> => {
  const access = accessOf(deps, transfer);
  const { environment } = transfer;
  // Settings and keys change while a transfer waits. A key with another scope must not leave in an address.
  if (!(await deps.isKeyOf(transfer, access.certificateKey))) {
    throw new Failure("clearing_not_configured", { environment });
  }
  const code = verificationCodeOf(transfer.transactionId);
  if (code === undefined) throw new Error("The transaction of a transfer is no UUID");
  const { provider, verificationType: type } = deps.settings;
  const { affiliate, requiresSecondVerification } = content;
  const url = `${content.certificateUrl}&apiKey=${encodeURIComponent(access.certificateKey)}`;
  const verifiedAt = new Date(content.verifiedAt);
  const verification = { provider, verifiedAt, url, credentials: access.credentials, type, code };
  return { access, request: { affiliate, verification, requiresSecondVerification } };
};

/** A token that ends too soon is replaced before the entity gets its address. */
const withFreshToken = async (
  { issueToken, clock, newId }: RunTransferDeps,
  { tenantId, environment, transactionId }: Transfer,
  content: TransferContent,
  signal: AbortSignal,
): Promise<TransferContent> => {
  const now = clock();
  if (new Date(content.expiresAt).getTime() - now.getTime() >= tokenMsMin) return content;
  const caller = { tenantId, environment, keyId: content.keyId };
  const call = { caller, transactionId: newId(), receivedAt: now, signal };
  const issued = await issueToken(call, { transactionId, scanReference: content.scanReference });
  return {
    ...content,
    certificateUrl: issued.certificateUrl,
    expiresAt: issued.expiresAt.toISOString(),
  };
};

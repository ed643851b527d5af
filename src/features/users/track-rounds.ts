import type {
  OperationDetails,
  OperationStep,
  TrackCall,
  TrackDecision,
} from "#record/transactions/operation-step";
import type { UserCall } from "./service.ts";

/** Prepares the step of one judgement of a call. Undefined where the call names no operation. */
export type TrackRound = (details: OperationDetails) => Promise<OperationStep | undefined>;

type Kept = { readonly types: string; readonly step: OperationStep };

/**
 * Prepares the step of a call that is judged again when another call changes the user. The images of the call
 * are stored once, and each judgement states its own events about them. An image that an earlier judgement
 * did not have stores all of them again; the earlier ones are orphans for the sweep.
 */
export const makeTrackRounds = (
  { trackCall, trackDecision }: { readonly trackCall: TrackCall; readonly trackDecision: TrackDecision },
  call: UserCall,
  endpoint: string,
): TrackRound => {
  let kept: Kept | undefined;
  return async (details) => {
    const types = Object.keys(details.images ?? {})
      .sort()
      .join(" ");
    if (kept?.types === types) return await restate(trackDecision, call, kept.step, details);
    const step = await trackCall(call, endpoint, details);
    kept = step && { types, step };
    return step;
  };
};

/** The kept step with the events of this judgement in place of the earlier ones. */
const restate = async (
  trackDecision: TrackDecision,
  { caller: { tenantId, environment }, transactionId, receivedAt: at }: UserCall,
  step: OperationStep,
  { events = [] }: OperationDetails,
): Promise<OperationStep> => {
  const { operationId: id, endpoint, assets } = step;
  const decision = { tenantId, environment, transactionId, at };
  return { ...step, events: (await trackDecision(decision, endpoint, { id, assets }, events)).events };
};

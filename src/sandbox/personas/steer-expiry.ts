import type { TrackCall } from "#record/transactions/operation-step";

/** Start of the id of an operation that expires at once, and of a `customerId` whose hash does. */
export const expiredPersona = "persona-expired-";

/** The operation has its first call, and no time for another. */
const openMs = 1_000;

/**
 * Prepares the steps of calls. An operation of a test key whose id asks for it expires a second after its
 * call.
 */
export const steerExpiry =
  (trackCall: TrackCall): TrackCall =>
  async (call, endpoint, details) => {
    const step = await trackCall(call, endpoint, details);
    const isSteered = step?.environment === "test" && step.operationId.startsWith(expiredPersona);
    if (!isSteered || step.opening === undefined) return step;
    const expiresAt = new Date(call.receivedAt.getTime() + openMs);
    return { ...step, opening: { ...step.opening, expiresAt } };
  };

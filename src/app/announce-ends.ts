/**
 * Makes verifications due when what they wait for ends: a capture session, a document validation, a review.
 */
import type { RecordingStore } from "./recording-store.ts";

type Announced = "changeCapture" | "finishValidation" | "endReview" | "endValidation";

/**
 * The same store, whose commands that end something make the verifications due that wait for it. A
 * verification that misses an announcement, as when the process dies in between, asks again by itself. Such a
 * failure goes to `onError`: the end has committed.
 */
export const announceEnds = <Store extends Pick<RecordingStore, Announced | "hastenVerifications">>(
  store: Store,
  onError: (error: unknown, id: string) => void,
): Store => {
  const announce = async (tenantId: string, id: string): Promise<void> => {
    await store.hastenVerifications(tenantId, id).catch((error: unknown) => onError(error, id));
  };
  return {
    ...store,
    changeCapture: async (change, record, step) => {
      const isChanged = await store.changeCapture(change, record, step);
      if (isChanged && change.state !== "OPEN") await announce(change.tenantId, change.id);
      return isChanged;
    },
    finishValidation: async (finish, step) => {
      const answer = await store.finishValidation(finish, step);
      if (answer === "finished") await announce(finish.tenantId, finish.id);
      return answer;
    },
    endValidation: async (ending, step) => {
      const answer = await store.endValidation(ending, step);
      await announce(ending.tenantId, ending.id);
      return answer;
    },
    endReview: async (reviewer, id, end, step) => {
      const answer = await store.endReview(reviewer, id, end, step);
      await announce(reviewer.tenantId, id);
      return answer;
    },
  };
};

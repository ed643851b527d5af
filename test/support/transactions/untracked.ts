import type { TrackCall } from "#record/transactions/operation-step";

/** For tests that look at no operation: a call with tracking writes none. */
export const untracked: TrackCall = async () => undefined;

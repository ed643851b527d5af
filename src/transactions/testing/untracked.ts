import type { TrackCall } from "../operation-step.ts";

/** For tests that look at no operation: a call with tracking writes none. */
export const untracked: TrackCall = async () => undefined;

import type { TokenKeys } from "./keys.ts";

/** The key pairs in this process; another process of the deployment may have rotated them since. */
export type HeldKeys = {
  readonly keys: () => TokenKeys;
  /**
   * Reads the pairs again, at most once in two seconds over all callers, and resolves with the current pairs.
   * Rejects as `load` does.
   */
  readonly renew: (now: Date) => Promise<TokenKeys>;
  /** Reads the pairs again now, and resolves when they are in use. Rejects as `load` does. */
  readonly reload: (now: Date) => Promise<void>;
};

/** Tokens sealed to unknown keys cost nothing to send: they must not cause store queries. */
const pauseMs = 2_000;

export const holdKeys = async (
  load: (now: Date) => Promise<TokenKeys>,
  startedAt: Date,
): Promise<HeldKeys> => {
  let held = await load(startedAt);
  let askedAt = startedAt.getTime() - pauseMs;
  let asking: Promise<TokenKeys> | undefined;
  const ask = async (now: Date): Promise<TokenKeys> => {
    try {
      held = await load(now);
      return held;
    } finally {
      askedAt = now.getTime();
      asking = undefined;
    }
  };
  const renew = async (now: Date): Promise<TokenKeys> => {
    // A clock that was set back must not stop the reading.
    const isFresh = Math.abs(now.getTime() - askedAt) < pauseMs;
    if (asking === undefined && isFresh) {
      return held;
    }
    asking ??= ask(now);
    return await asking;
  };
  const reload = async (now: Date): Promise<void> => {
    // A reading that has begun may have read the former pairs.
    await asking?.catch(() => undefined);
    asking = ask(now);
    await asking;
  };
  return { keys: () => held, renew, reload };
};

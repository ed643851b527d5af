import type { KeySource } from "./options.ts";

export type KeyUses = {
  readonly note: (keyId: string, at: Date) => void;
  /** Writes the noted uses; a failed write is noted again. */
  readonly flush: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/**
 * Last use of each key, written in batches: one write per call would double the store's work for a date that
 * only people read. A crash loses at most one interval.
 */
export const makeKeyUses = (
  keys: Pick<KeySource, "touch">,
  intervalMs: number,
  onError: (error: unknown) => void,
): KeyUses => {
  const noted = new Map<string, Date>();
  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const uses = [...noted].map(([keyId, at]) => ({ keyId, at }));
    noted.clear();
    try {
      await keys.touch(uses);
    } catch (error) {
      for (const { keyId, at } of uses) if (!noted.has(keyId)) noted.set(keyId, at);
      onError(error);
    }
  };
  const timer = setInterval(() => void flush(), intervalMs);
  timer.unref();
  return {
    note: (keyId, at) => noted.set(keyId, at),
    flush,
    stop: async () => {
      clearInterval(timer);
      await flush();
    },
  };
};

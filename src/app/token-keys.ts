/** Composition of the key pairs for tokens that a process holds. */
import { startSchedule } from "#record/jobs/schedule";
import { type HeldKeys, holdKeys } from "#trust/tokens/held-keys";
import type { Module } from "./module.ts";
import { openTokenKeys, type ReadyConfig } from "./storage.ts";

/**
 * Another process on the same PostgreSQL may rotate the pairs. One row read every two seconds costs nothing,
 * and every process publishes and uses the new pair within them.
 */
const reloadEveryMs = 2_000;

/** The pairs, and the module that ends their reading. */
export type OpenedKeys = HeldKeys & { readonly module: Module };

/**
 * Loads the pairs, or creates the first one, and reads them again as long as other processes may rotate them.
 */
export const openHeldKeys = async (
  store: Parameters<typeof openTokenKeys>[0],
  config: ReadyConfig,
  clock: () => Date,
): Promise<OpenedKeys> => {
  const held = await holdKeys(openTokenKeys(store, config).loadOrCreate, clock());
  const name = "token-keys";
  // Only one process uses the embedded store. It reads the pairs again when a command has rotated them
  // (admin.ts).
  if (config.databaseUrl === undefined) return { ...held, module: { name } };
  const schedule = startSchedule({
    tasks: [() => held.reload(clock())],
    everyMs: reloadEveryMs,
    // The readiness of the store reports an outage; the pairs in memory stay right meanwhile.
    onError: () => undefined,
  });
  return { ...held, module: { name, close: schedule.stop } };
};

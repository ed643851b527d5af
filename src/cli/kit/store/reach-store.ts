import { type ReachedStore, type Reaching, reachRecordingStore, reachStore } from "#app/reach-store";
import type { ReadyConfig, RecordingStorage } from "#app/storage";
import type { Config } from "#machine/config/config";
import { opening, say } from "../../command.ts";

/** Says for which process a start or a command waits. */
export const sayHeld = (holder: string): void =>
  say(`Process ${holder} has the data directory open: waiting for it …`);

/**
 * The store of the settings for one command: opened by it, or that of the service that has the embedded store
 * open. Errors are written for the operator. `wayOut` (way-out.ts) is what helps while another process has it
 * open.
 */
export const openCommandStore = async (
  config: Config,
  wayOut?: string,
  options: Pick<Reaching, "migrate" | "isUnheld"> = {},
): Promise<ReachedStore> => await opening(reachStore(config, { ...options, onHeld: sayHeld }), wayOut);

/** The same, with the keys that open the measurements of transactions. */
export const openCommandStorage = async (config: ReadyConfig, wayOut?: string): Promise<RecordingStorage> =>
  await opening(reachRecordingStore(config, { onHeld: sayHeld }), wayOut);

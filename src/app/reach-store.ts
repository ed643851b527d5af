/**
 * The store for a command of the operator: opened by it, or reached through the service that has the embedded
 * one open.
 */
import { join } from "node:path";
import { Type } from "typebox";
import { Failure, type FailureCode, failureKinds } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import { version } from "#contract/version";
import type { Config } from "#machine/config/config";
import { DirectoryInUse, whileHeld } from "#machine/storage/data-directory";
import { errorOf } from "#machine/storage/sqlite-message";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { askService, type ServedStore } from "./admin/ask-service.ts";
import { socketName } from "./admin/messages.ts";
import {
  type OpenedStore,
  openRecordingStore,
  openStore,
  openUnheld,
  type ReadyConfig,
  type RecordingStorage,
} from "./storage.ts";
import { openStoreThrough } from "./store.ts";

/** The store of a command. `masterIds`: the master keys of the service through which it is reached. */
export type ReachedStore = OpenedStore & { readonly masterIds?: readonly string[] };

export type Reaching = {
  readonly migrate?: boolean;
  /**
   * Opens the store without the key of its seals. Such a command reads and writes no row that gives a right.
   */
  readonly isUnheld?: boolean;
  /**
   * Called once if another process has the embedded store open and serves no command. The command then waits
   * for it.
   */
  readonly onHeld: (holder: string) => void;
};

/**
 * Opens the store of the settings for a command. Where a service has the embedded store open, its commands
 * run in the service, which renews what it holds in memory. Waits `IDEM_DATA_WAIT_MS` for another process,
 * and for a service that is starting. Throws as {@link openStore}, and AdminFault where the service is of
 * another release or has another master key.
 */
export const reachStore = async (
  config: Config,
  { migrate = false, isUnheld = false, onHeld }: Reaching,
): Promise<ReachedStore> => {
  const open = (): Promise<OpenedStore> => (isUnheld ? openUnheld : openStore)(config, { migrate });
  if (config.databaseUrl !== undefined) return await open();
  const openOrAsk = async (): Promise<ReachedStore> => {
    try {
      return await open();
    } catch (error) {
      const served = error instanceof DirectoryInUse ? await askServiceOf(config) : undefined;
      if (served === undefined) throw error;
      const { run, close, masterIds } = served;
      return { store: await openStoreThrough(run, { close }), close, masterIds };
    }
  };
  return await whileHeld(openOrAsk, { ms: config.dataWaitMs, onHeld });
};

/** The same, with the keys that open the measurements of transactions. */
export const reachRecordingStore = async (
  config: ReadyConfig,
  reaching: Reaching,
): Promise<RecordingStorage> => openRecordingStore(await reachStore(config, reaching), config);

const askServiceOf = ({
  dataDirectory,
  masterKey,
  masterKeyPrevious,
}: Config): Promise<ServedStore | undefined> => {
  const masters = [masterKey, masterKeyPrevious].filter((key) => key !== undefined);
  const masterIds = masters.map((key) => masterKeyOf(key).id);
  return askService(join(dataDirectory, socketName), { release: version, masterIds }, readError);
};

const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(failureKinds, code);

const failure = makeCheck(
  Type.Object({
    kind: Type.Literal("failure"),
    code: Type.String(),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Array(Type.String())])),
  }),
);
const otherError = makeCheck(
  Type.Object({
    kind: Type.Union([Type.Literal("unavailable"), Type.Literal("unhealthy"), Type.Literal("error")]),
    message: Type.String(),
  }),
);

/** An error of the store from the form in which the service sends it. */
const readError = (refused: unknown): Error => {
  if (otherError.Check(refused)) return errorOf(refused);
  if (failure.Check(refused) && isFailureCode(refused.code)) return new Failure(refused.code, refused.facts);
  return new Error("The service answers in another form: use the command line of its release.");
};

/** Composition of the import of users: enrolment without the server, by the operator's command. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "#contract/endpoint";
import { type ImportAnswer, makeImportUser } from "#features/users/import-user";
import { refuseMarkedFaces } from "#sandbox/personas/steer-faces";
import { byEnvironment } from "./by-environment.ts";
import { openEngine, readEngineFiles } from "./engine.ts";
import { readFacePolicy } from "./face-policy.ts";
import { steeredFaces } from "./personas.ts";
import type { ReadyConfig, Storage } from "./storage.ts";
import { openUserCore } from "./users.ts";

/** Establishes users from open images. Made by {@link openUserImport}. */
export type UserImport = {
  readonly establish: (userId: string, image: Uint8Array) => Promise<ImportAnswer>;
  /** Images that are measured at once. */
  readonly width: number;
  readonly close: () => Promise<void>;
};

/** Stands for the API key in the records of the operator's own calls. */
const operatorKeyId = "operator";

const clock = (): Date => new Date();

/**
 * Opens the engine and the search, and resolves when the galleries of duplicates and blocked faces are
 * filled.
 */
export const openUserImport = async (
  storage: Pick<Storage, "store" | "keyring">,
  config: ReadyConfig,
  { tenantId, environment }: Pick<Caller, "tenantId" | "environment">,
): Promise<UserImport> => {
  const files = await readEngineFiles(config);
  const engine = openEngine(config, files, () => undefined);
  const causes: unknown[] = [];
  try {
    await engine.pool.ready;
    const { search, ...service } = openUserCore({
      config,
      storage,
      engine,
      faceService: {
        engine: byEnvironment(steeredFaces, refuseMarkedFaces)({ environment })(engine.face),
        policy: await readFacePolicy(config, files.added),
        bestImages: { uses: "once", ageMs: 0 },
        onError: () => undefined,
      },
      report: (_component, note, error) => causes.push(note, error),
      note: () => undefined,
      clock,
    });
    const importUser = makeImportUser(service);
    const close = async (): Promise<void> => {
      await search.close();
      await engine.pool.close();
    };
    await search.begun;
    await untilFilled(search.needs, causes);
    const caller = { tenantId, keyId: operatorKeyId, environment };
    const { signal } = new AbortController();
    return {
      width: config.inference.workers,
      establish: (userId, image) =>
        importUser({ caller, transactionId: randomUUID(), receivedAt: clock(), signal }, userId, image),
      close,
    };
  } catch (error) {
    await engine.pool.close();
    throw error;
  }
};

const pollMs = 200;

/** Waits for the galleries. Throws the first reported cause where they cannot be filled. */
const untilFilled = async (
  needs: readonly { readonly check: () => Promise<unknown> }[],
  causes: readonly unknown[],
): Promise<void> => {
  for (const { check } of needs) {
    while (!(await holds(check))) {
      const cause = causes.find((one) => one instanceof Error);
      if (cause !== undefined) throw cause;
      await sleep(pollMs);
    }
  }
};

const holds = async (check: () => Promise<unknown>): Promise<boolean> => {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
};

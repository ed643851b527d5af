import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { openSend } from "#app/destinations";
import { openSqliteStore, type Store } from "#app/store";
import { makeCallbackSealing } from "#features/clearing/callbacks/sealed-callback";
import { makeWriteCallback } from "#features/clearing/callbacks/write-callback";
import { makeEgress } from "#machine/egress/make-egress";
import { signStandardWebhook } from "#record/events/standard-webhooks";
import { type LeaseLoop, makeLeaseLoop } from "#record/jobs/lease-loop";
import { makeRunLock } from "#record/jobs/run-lock";
import { makeOneShotJobs, oneShotLoopOptions } from "#record/webhooks/one-shot/one-shot-jobs";
import type { Send } from "#record/webhooks/send/send";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { recordCallback } from "../webhooks/store/one-shot-suite.ts";

export const owner = { tenantId: "afp", environment: "test" } as const;

/** Where processes that share one folder find store, key and receiver. */
export type CallbackPlace = {
  readonly folder: string;
  /** 32 bytes in hex. */
  readonly masterKey: string;
  readonly receiverUrl: string;
};

export type CallbackBenchOptions = CallbackPlace & {
  readonly watchStore?: (store: Store) => Store;
  readonly watchSend?: (send: Send) => Send;
};

/**
 * Callbacks over a real store, a real sender and a real loop of jobs. `create` commits one as its call does,
 * and sends nothing.
 */
export type CallbackBench = {
  readonly store: Store;
  readonly loop: LeaseLoop;
  readonly create: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Short times, so that a test sees the end of a lease. */
const times = { pollMs: 50, leaseMs: 900 } as const;

const clock = (): Date => new Date();

export const openCallbackBench = async (options: CallbackBenchOptions): Promise<CallbackBench> => {
  const { watchStore = (same) => same, watchSend = (same) => same } = options;
  const opened = await openSqliteStore({ path: join(options.folder, "idem.sqlite") });
  await opened.createTenant({ id: owner.tenantId, name: "afp", createdAt: clock() });
  const store = watchStore(opened);
  const masters = [masterKeyOf(Buffer.from(options.masterKey, "hex"))] as const;
  const keyring = makeKeyring({ store, masters, now: clock });
  const sealing = makeCallbackSealing(keyring);
  const config = { egress: { allow: ["127.0.0.1"] } };
  const loop = makeLeaseLoop({
    jobs: makeOneShotJobs({
      store,
      write: makeWriteCallback(sealing),
      send: watchSend(
        openSend({ config, egress: makeEgress(config.egress), store, keyring, clock }, signStandardWebhook),
      ),
      holder: randomUUID(),
      clock,
      random: Math.random,
      onAttempt: () => undefined,
    }),
    clock,
    lock: makeRunLock(),
    random: Math.random,
    onError: () => undefined,
    options: { ...oneShotLoopOptions, ...times },
  });
  return {
    store,
    loop,
    create: async () => {
      const id = randomUUID();
      const expiresAt = new Date(clock().getTime() + 3_600_000).toISOString();
      const content = { url: options.receiverUrl, hash: "0a".repeat(20), expiresAt };
      const { sealed } = await sealing.seal({ ...owner, id }, content);
      await recordCallback(store, { ...owner, id, createdAt: clock(), sealed });
      return id;
    },
    close: async () => {
      await loop.stop();
      await store.close();
    },
  };
};

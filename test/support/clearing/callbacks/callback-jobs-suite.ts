import { makeCallbackJobs } from "#features/clearing/callbacks/callback-jobs";
import type { Callback, CallbackChange } from "#features/clearing/store/callback";
import { judgeAttempt } from "#record/webhooks/delivery/judge-attempt";
import { isInterrupted } from "#record/webhooks/send/egress-failure";
import { describeJobSource } from "../../jobs/job-source-suite.ts";
import { at, newTenantIn, openFresh, type StoreHarness } from "../../storage/suite.ts";
import { aCallbackIn, recordCallback } from "../store/callback-suite.ts";

const outcomeOf = ({ tenantId, id }: Callback): CallbackChange => ({
  tenantId,
  id,
  state: "delivered",
  failures: 0,
  log: [],
  at: at(0),
});

/** The guarantees of the lease loop for callbacks, over two processes with one store. */
export const describeCallbackJobs = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describeJobSource(`callbacks: ${name}`, async () => {
    const { harness, store } = await openFresh(makeHarness);
    const stores = [store, await harness.open()];
    const tenants = [await newTenantIn(store), await newTenantIn(store)];
    let added = 0;
    let opened = 0;
    return {
      add: async () => {
        const callback = await aCallbackIn(store, tenants[added % 2]!);
        await recordCallback(store, { ...callback, createdAt: at(++added) });
        return callback.id;
      },
      sourceOf: (holder) =>
        makeCallbackJobs({
          store: stores[opened++ % 2]!,
          holder,
          sealing: { open: () => Promise.reject(new Error("The suite opens no callback")) },
          send: () => Promise.reject(new Error("The suite sends no callback")),
          judgeAttempt,
          isInterrupted,
          clock: () => at(0),
          random: () => 0.5,
          onAttempt: () => undefined,
        }),
      outcomeOf,
      close: async () => {
        await Promise.all(stores.map(({ close }) => close()));
        await harness.remove();
      },
    };
  });
};

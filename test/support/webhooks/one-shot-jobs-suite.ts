import type { OneShot, OneShotChange } from "#record/webhooks/one-shot/one-shot";
import { makeOneShotJobs } from "#record/webhooks/one-shot/one-shot-jobs";
import { describeJobSource } from "../jobs/job-source-suite.ts";
import { at, newTenantIn, openFresh, type StoreHarness } from "../storage/suite.ts";
import { aCallbackIn, recordCallback } from "./store/one-shot-suite.ts";

const outcomeOf = ({ tenantId, id }: OneShot): OneShotChange => ({
  tenantId,
  id,
  state: "delivered",
  failures: 0,
  log: [],
  at: at(0),
});

/** The guarantees of the lease loop for one-shots, over two processes with one store. */
export const describeOneShotJobs = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describeJobSource(`one-shots: ${name}`, async () => {
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
        makeOneShotJobs({
          store: stores[opened++ % 2]!,
          holder,
          write: () => Promise.reject(new Error("The suite writes no message")),
          send: () => Promise.reject(new Error("The suite sends no message")),
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

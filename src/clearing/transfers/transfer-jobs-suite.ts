import { randomBytes } from "node:crypto";
import { makeEgress } from "#egress/make-egress";
import { describeJobSource } from "#jobs/testing/job-source-suite";
import { makeKeyring } from "#storage/keyring";
import { masterKeyOf } from "#storage/master-key";
import { at, newTenantIn, noStep, openFresh, type StoreHarness } from "#storage/testing/suite";
import { makeEntityClient } from "../client/client.ts";
import type { Transfer } from "../store/transfer.ts";
import { aTransferIn } from "../store/transfer-suite.ts";
import { makeTransferSealing } from "./sealed-transfer.ts";
import { makeTransferJobs } from "./transfer-jobs.ts";
import type { MovedTransfer } from "./transfer-step.ts";

const outcomeOf = (transfer: Transfer): MovedTransfer => ({
  change: { ...transfer, state: "refused", at: at(0) },
  step: noStep,
});

/** The guarantees of the lease loop for transfers, over two processes with one store. */
export const describeTransferJobs = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describeJobSource(`transfers: ${name}`, async () => {
    const { harness, store } = await openFresh(makeHarness);
    const stores = [store, await harness.open()];
    const keyring = makeKeyring({ store, masters: [masterKeyOf(randomBytes(32))], now: () => at(0) });
    const tenants = [await newTenantIn(store), await newTenantIn(store)];
    let added = 0;
    let opened = 0;
    return {
      add: async () => {
        const transfer = await aTransferIn(store, tenants[added % 2]!);
        await store.createTransfer({ ...transfer, createdAt: at(++added) }, noStep);
        return transfer.id;
      },
      sourceOf: (holder) =>
        makeTransferJobs({
          store: stores[opened++ % 2]!,
          holder,
          sealing: makeTransferSealing(keyring),
          entity: makeEntityClient({ egress: makeEgress({ allow: [] }), isProxied: false }),
          findEntity: () => undefined,
          isKeyOf: async () => true,
          issueToken: () => Promise.reject(new Error("The suite issues no token")),
          settings: { timeoutMs: 1_000, isRepeatable: false, provider: "Idem", verificationType: "FACIAL" },
          clock: () => at(0),
          newId: () => "id",
          onCallFailed: () => undefined,
        }),
      outcomeOf,
      close: async () => {
        await Promise.all(stores.map(({ close }) => close()));
        await harness.remove();
      },
    };
  });
};

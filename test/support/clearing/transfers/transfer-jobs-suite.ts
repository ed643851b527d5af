import { randomBytes } from "node:crypto";
import { makeEntityClient } from "#features/clearing/client/client";
import type { Transfer } from "#features/clearing/store/transfer";
import { makeTransferSealing } from "#features/clearing/transfers/sealed-transfer";
import { makeTransferJobs } from "#features/clearing/transfers/transfer-jobs";
import type { MovedTransfer } from "#features/clearing/transfers/transfer-step";
import { makeEgress } from "#machine/egress/make-egress";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { describeJobSource } from "../../jobs/job-source-suite.ts";
import { at, newTenantIn, noStep, openFresh, type StoreHarness } from "../../storage/suite.ts";
import { aTransferIn } from "../store/transfer-suite.ts";

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

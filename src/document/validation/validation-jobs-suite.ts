import { randomBytes, randomUUID } from "node:crypto";
import { makeRecordingStore } from "#app/recording-store";
import { describeJobSource } from "#jobs/testing/job-source-suite";
import { makeKeyring } from "#storage/keyring";
import { masterKeyOf } from "#storage/master-key";
import {
  aTransaction,
  at,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "#storage/testing/suite";
import type { Validation } from "../store/validation.ts";
import type { Outcome } from "./outcome.ts";
import { makeValidationJobs } from "./validation-jobs.ts";

const notRun = (): Promise<never> => Promise.reject(new Error("The suite runs no validation"));

const outcomeOf = ({ tenantId, id, revision }: Validation): Outcome => ({
  tenantId,
  id,
  revision,
  status: "DONE",
  at: at(0),
  step: noStep,
});

/** The guarantees of the lease loop for validations, over two processes with one store. */
export const describeValidationJobs = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describeJobSource(`validations: ${name}`, async () => {
    const { harness, store } = await openFresh(makeHarness);
    const stores = [store, await harness.open()];
    const keyring = makeKeyring({ store, masters: [masterKeyOf(randomBytes(32))], now: () => at(0) });
    const tenants = [await newTenantIn(store), await newTenantIn(store)];
    let added = 0;
    let opened = 0;
    return {
      add: async () => {
        const id = randomUUID();
        const createdAt = at(++added);
        const tenantId = tenants[added % 2]!;
        const validation = { id, tenantId, environment: "test", version: 2, createdAt, blobIds: [] } as const;
        await store.createValidation(
          { ...validation, sealedInput: someBytes() },
          [],
          aTransaction(tenantId),
          noStep,
        );
        return id;
      },
      sourceOf: (holder) =>
        makeValidationJobs({
          store: makeRecordingStore(stores[opened++ % 2]!, keyring),
          holder,
          runValidation: notRun,
          failValidation: notRun,
          clock: () => at(0),
        }),
      outcomeOf,
      close: async () => {
        await Promise.all(stores.map(({ close }) => close()));
        await harness.remove();
      },
    };
  });
};

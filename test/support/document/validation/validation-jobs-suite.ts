import { randomBytes, randomUUID } from "node:crypto";
import { makeRecordingStore } from "#app/recording-store";
import type { Validation } from "#judging/document/store/validation";
import type { Outcome } from "#judging/document/validation/outcome";
import { makeValidationJobs } from "#judging/document/validation/validation-jobs";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { describeJobSource } from "../../jobs/job-source-suite.ts";
import {
  aTransaction,
  at,
  newTenantIn,
  noStep,
  openFresh,
  type StoreHarness,
  someBytes,
} from "../../storage/suite.ts";

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

import { randomBytes } from "node:crypto";
import { makeRecordingStore } from "#app/recording-store";
import { makeSessionSeal } from "#features/capture/sealed-session";
import { makeVerificationSeal } from "#features/verification/sealed-verification";
import type { VerificationRow } from "#features/verification/store/verification-row";
import { makeVerificationJobs } from "#features/verification/verification-jobs";
import type { PreparedChange } from "#features/verification/verifications";
import { makeSealing } from "#judging/document/validation/sealed";
import { makeKeyring } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { describeJobSource } from "../jobs/job-source-suite.ts";
import { aTransaction, at, newTenantIn, noStep, openFresh, type StoreHarness } from "../storage/suite.ts";
import { aVerification } from "./store/verification-suite.ts";

const refused = (): Promise<never> => Promise.reject(new Error("The suite runs no verification"));

const outcomeOf = (row: VerificationRow): PreparedChange => ({
  change: {
    ...row,
    state: "FAILED",
    added: [],
    removed: [],
    settled: { at: at(0), record: undefined },
  },
  step: noStep,
});

/** The guarantees of the lease loop for verifications, over two processes with one store. */
export const describeVerificationJobs = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describeJobSource(`verifications: ${name}`, async () => {
    const { harness, store } = await openFresh(makeHarness);
    const stores = [store, await harness.open()];
    const keyring = makeKeyring({ store, masters: [masterKeyOf(randomBytes(32))], now: () => at(0) });
    const tenants = [await newTenantIn(store), await newTenantIn(store)];
    let added = 0;
    let opened = 0;
    return {
      add: async () => {
        const tenantId = tenants[added % 2]!;
        const row = aVerification(tenantId, { createdAt: at(++added) });
        await store.createVerification(row, aTransaction(tenantId), noStep);
        return row.id;
      },
      sourceOf: (holder) =>
        makeVerificationJobs({
          store: makeRecordingStore(stores[opened++ % 2]!, keyring),
          holder,
          seal: makeVerificationSeal(keyring),
          blobs: { put: refused, get: refused, remove: refused },
          judgesOf: () => {
            throw new Error("The suite runs no verification");
          },
          validations: { store, sealing: makeSealing(keyring) },
          captures: { store: makeRecordingStore(store, keyring), seal: makeSessionSeal(keyring) },
          trackDecision: refused,
          oneImage: "review",
          clock: () => at(0),
          newId: () => "id",
        }),
      outcomeOf,
      close: async () => {
        await Promise.all(stores.map(({ close }) => close()));
        await harness.remove();
      },
    };
  });
};

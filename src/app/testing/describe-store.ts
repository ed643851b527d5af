import { describeDecisions } from "#document/store/decision-suite";
import { describeValidationRetention } from "#document/store/validation-retention-suite";
import { describeValidations } from "#document/store/validation-suite";
import { describeValidationJobs } from "#document/validation/validation-jobs-suite";
import { describeIdempotency } from "#idempotency/store/idempotency-suite";
import { describeStore } from "#storage/store-suite";
import type { StoreHarness } from "#storage/testing/suite";
import { describeRates } from "#tenants/store/rate-suite";
import { describeTenants } from "#tenants/store/tenant-suite";
import { describeOperations } from "#tracking/store/operation-suite";
import { describeRetention } from "#transactions/store/retention-suite";
import { describeTampering } from "#transactions/store/tamper-suite";
import { describeTransactions } from "#transactions/store/transaction-suite";
import { describeFaceLists } from "#users/store/face-list-suite";
import { describeUsers } from "#users/store/user-suite";
import { describeDeliveries } from "#webhooks/store/delivery-suite";
import { describeDestinations } from "#webhooks/store/destination-suite";
import { describeReplays } from "#webhooks/store/replay-suite";

/** The contract of the whole store, module by module. */
export const describeWholeStore = (name: string, makeHarness: () => Promise<StoreHarness>): void => {
  describeStore(name, makeHarness);
  describeTenants(name, makeHarness);
  describeRates(name, makeHarness);
  describeTransactions(name, makeHarness);
  describeRetention(name, makeHarness);
  describeIdempotency(name, makeHarness);
  describeOperations(name, makeHarness);
  describeTampering(name, makeHarness);
  describeValidations(name, makeHarness);
  describeValidationJobs(name, makeHarness);
  describeValidationRetention(name, makeHarness);
  describeUsers(name, makeHarness);
  describeFaceLists(name, makeHarness);
  describeDecisions(name, makeHarness);
  describeDeliveries(name, makeHarness);
  describeReplays(name, makeHarness);
  describeDestinations(name, makeHarness);
};

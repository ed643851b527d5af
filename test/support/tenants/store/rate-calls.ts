import { sqlPage } from "#support/storage/sql-page";
import type { RateCommands } from "#trust/tenants/store/rate-store";

const waitingCall = { spansUs: [1], spareUs: 0, fullUs: 1 };

const bucket = { tenantId: "tenant", keyId: "key" };

export const page = sqlPage<RateCommands>("trust/tenants/store/rate-store", {
  askRate: [
    { args: [bucket, waitingCall] },
    { args: [bucket, waitingCall], when: "at the first call of a key", findsNothing: 'select "full_at"' },
  ],
});

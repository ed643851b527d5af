import type { IdempotencyCommands } from "#record/idempotency/store/idempotency-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes, token, transaction, until } from "#support/storage/sql-sample";

const claim = {
  tenantId: "tenant",
  name: "name",
  transactionId: "other transaction",
  keyId: "key",
  environment: "test",
  request: "request",
  owner: "key",
  now: at,
  leasedUntil: until,
  forgottenBefore: new Date(0),
} as const;

const answer = { tenantId: "tenant", name: "name", transactionId: "transaction", sealed: someBytes };

export const page = sqlPage<IdempotencyCommands<SealedTransaction>>(
  "record/idempotency/store/idempotency-store",
  {
    claimCall: [
      { args: [claim], when: "of a first attempt" },
      {
        args: [claim],
        when: "after an attempt that ended without an answer",
        findsNothing: 'insert into "idempotent_calls"',
      },
      {
        args: [{ ...claim, owner: "another key" }],
        when: "of another owner",
        findsNothing: 'insert into "idempotent_calls"',
      },
    ],
    keepAnswer: [{ args: [answer] }],
    recordAnswered: [{ args: [transaction, [token], noStep, answer], when: "of one token" }],
    releaseCall: [{ args: [answer] }],
    endCallLease: [{ args: [answer] }],
    purgeIdempotentCalls: [{ args: [at], when: "up to 100 rows" }],
    forgetIdempotentCalls: [{ args: ["tenant", at], when: "up to 100 rows of a tenant" }],
  },
);

import type { UserCommands } from "#features/users/store/user-store";
import type { SealedTransaction } from "#record/transactions/record";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes, token, transaction } from "#support/storage/sql-sample";

const template = {
  keyId: "key",
  dataKeyId: "data key",
  recogniser: "recogniser",
  wrappedKey: someBytes,
  sealedTransform: someBytes,
  sealedTemplate: someBytes,
};

const user = { tenantId: "tenant", pseudonym: "pseudonym" };

const enrolled = { ...template, ...user, environment: "test", id: "id", enrolledAt: at } as const;

const replaced = { ...template, ...user, revision: 1, at };

const attempt = {
  ...user,
  revision: 1,
  at,
  finding: "against",
  throttle: { pauseFrom: 5, pauseMs: 1000, disableAt: 10 },
  disabling: { id: "evidence", kind: "kind", at, body: {} },
} as const;

const joining = {
  reference: template,
  furtherMax: 1,
  evidence: { id: "evidence", kind: "kind", at, body: {} },
};

const named = { pseudonym: "pseudonym", id: "id", keyId: "key" };

export const page = sqlPage<UserCommands<SealedTransaction>>("features/users/store/user-store", {
  findUser: [{ args: ["tenant", "pseudonym"] }],
  listReferences: [{ args: [{ tenantId: "tenant", id: "id" }] }],
  listUserNames: [{ args: ["tenant", ["pseudonym"]] }],
  enrolUser: [
    { args: [enrolled, transaction, [token], noStep], when: "of one token" },
    {
      args: [enrolled, transaction, [], noStep, 1],
      when: "after a search, with no face added since",
      findsNothing: "kind",
    },
  ],
  recordAttempt: [
    { args: [attempt, transaction, [token], noStep], when: "a failed one, of one token" },
    {
      args: [{ ...attempt, finding: "match", joining }, transaction, [], noStep],
      when: "a login whose face joins the references",
    },
  ],
  replaceTemplate: [{ args: [replaced, transaction, noStep] }],
  deleteUsers: [{ args: ["tenant", [named], transaction, noStep], when: "of one user" }],
  enableUser: [{ args: ["tenant", "id", noStep] }],
  purgeUsers: [{ args: [] }],
});

import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes } from "#support/storage/sql-sample";
import { type KeyCommands, makeKeyCommands } from "#trust/key-ring/key-store";

const key = {
  id: "key",
  tenantId: "tenant",
  purpose: "images",
  masterId: "master",
  wrapped: someBytes,
  createdAt: at,
};

export const page = sqlPage<KeyCommands>(
  "trust/key-ring/key-store",
  {
    insertKey: [{ args: [key] }],
    findKeys: [{ args: ["tenant"] }],
    listKeys: [{ args: [] }],
    rewrapKey: [{ args: ["key", "master", someBytes] }],
    destroyKey: [{ args: ["key", at, noStep] }],
  },
  (session) => makeKeyCommands(session, () => Promise.resolve()),
);

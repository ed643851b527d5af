import { sqlPage } from "#support/storage/sql-page";
import { someBytes } from "#support/storage/sql-sample";
import type { SecretCommands } from "#trust/key-ring/secret-store";

export const page = sqlPage<SecretCommands>("trust/key-ring/secret-store", {
  findSecret: [{ args: ["name"] }],
  replaceSecret: [
    { args: ["name", undefined, someBytes], when: "of an absent secret" },
    { args: ["name", someBytes, someBytes], when: "of an existing secret" },
  ],
});

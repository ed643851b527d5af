import type { RegistryPersonCommands } from "#features/registry/store/registry-person-store";
import { sqlPage } from "#support/storage/sql-page";
import { at, noStep, someBytes } from "#support/storage/sql-sample";

const owner = { tenantId: "tenant", environment: "test" } as const;

const registry = { ...owner, country: "ECU" } as const;

const person = { hash: "hash", content: "content", dataKeyId: "data key", sealed: someBytes };

export const page = sqlPage<RegistryPersonCommands>("features/registry/store/registry-person-store", {
  findRegistryPerson: [{ args: [registry, "hash"] }],
  holdsRegistryPersons: [{ args: [registry] }],
  listRegistryContents: [{ args: [registry, ["hash"]] }],
  putRegistryPersons: [{ args: [registry, [{ ...person, sealedPhoto: someBytes }], at] }],
  countRegistryPersons: [{ args: ["tenant"] }],
  removeRegistryPerson: [{ args: [registry, "hash", noStep] }],
  removeRegistryPersons: [{ args: [registry], when: "up to 1000 rows" }],
  purgeRegistryPersons: [{ args: ["tenant", at], when: "up to 1000 rows of a tenant" }],
});

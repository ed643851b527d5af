import { sqlPage } from "#support/storage/sql-page";
import { at } from "#support/storage/sql-sample";
import type { ApiKey } from "#trust/tenants/store/tenant";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";

const apiKey: ApiKey = {
  id: "key",
  tenantId: "tenant",
  hash: "hash",
  name: "name",
  environment: "test",
  scopes: [],
  createdAt: at,
};

export const page = sqlPage<TenantCommands>("trust/tenants/store/tenant-store", {
  createTenant: [{ args: [{ id: "tenant", name: "name", createdAt: at }] }],
  listTenants: [{ args: [] }],
  setDefaultCountry: [{ args: ["tenant", "CHL"] }],
  findDefaultCountry: [{ args: ["tenant"] }],
  createApiKey: [
    { args: [apiKey] },
    {
      args: [apiKey, undefined, { countMax: 1, since: at }],
      when: "by a call, whose number of keys is limited",
    },
  ],
  findApiKey: [{ args: ["hash"] }],
  listApiKeys: [{ args: ["tenant"] }],
  endApiKey: [{ args: ["tenant", "key", at], when: "before the step that commits with it" }],
  revokeApiKey: [{ args: ["tenant", "key", at], when: "before the step that commits with it" }],
  touchApiKeys: [{ args: [[{ keyId: "key", at }]], when: "for each key" }],
});

import type { Caller } from "#contract/endpoint";

export type TenantTables = {
  tenants: { id: string; name: string; createdAt: number; defaultCountry: string | null };
  apiKeys: {
    tenantId: string;
    id: string;
    hash: string;
    name: string;
    environment: Caller["environment"];
    scopes: string;
    createdAt: number;
    expiresAt: number | null;
    revokedAt: number | null;
    lastUsedAt: number | null;
    lineage: string | null;
  };
};

import type { Caller } from "#contract/endpoint";
import type { TenantColumns } from "#record/transactions/store/step-store";

export type TenantTables = {
  tenants: TenantColumns;
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

import type { Caller } from "#contract/endpoint";

/** A registered user as its row has it. */
export type UserColumns = {
  tenantId: string;
  pseudonym: string;
  id: string;
  environment: Caller["environment"];
  revision: number;
  keyId: string;
  dataKeyId: string;
  recogniser: string;
  wrappedKey: Uint8Array;
  sealedTransform: Uint8Array;
  sealedTemplate: Uint8Array;
  enrolledAt: number;
  renewedAt: number;
  failures: number;
  pausedUntil: number | null;
  disabledAt: number | null;
};

/** A further reference as its row has it. */
export type ReferenceColumns = Pick<
  UserColumns,
  "tenantId" | "keyId" | "dataKeyId" | "recogniser" | "wrappedKey" | "sealedTransform" | "sealedTemplate"
> & { userId: string; addedAt: number };

export type UserTables = { users: UserColumns; userReferences: ReferenceColumns };

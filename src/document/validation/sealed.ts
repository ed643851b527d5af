import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { documentTypesV2 } from "#contract/document-type";
import type { Keyring } from "#storage/blobs";
import { parseRecord, type VerificationRecord } from "../verification-record.ts";

const validationInput = Type.Object({
  keyId: Type.String(),
  country: Type.String(),
  type: Type.Enum(documentTypesV2),
  merchantReference: Type.Union([Type.String(), Type.Null()]),
  frontBlobId: Type.String(),
  backBlobId: Type.Union([Type.String(), Type.Null()]),
});

/** What a validation's job needs, beside its row. */
export type ValidationInput = Static<typeof validationInput>;

const check = Compile(validationInput);

/** Input and record of a validation are JSON under the tenant's key for documents. */
export type Sealing = {
  readonly sealInput: (tenantId: string, input: ValidationInput) => Promise<Uint8Array>;
  readonly openInput: (tenantId: string, sealed: Uint8Array) => Promise<ValidationInput>;
  readonly sealRecord: (tenantId: string, record: VerificationRecord) => Promise<Uint8Array>;
  readonly openRecord: (tenantId: string, sealed: Uint8Array) => Promise<VerificationRecord>;
};

export const makeSealing = (keyring: Keyring): Sealing => {
  const seal = (tenantId: string, value: unknown): Promise<Uint8Array> =>
    keyring.seal(tenantId, "documents", Buffer.from(JSON.stringify(value)));
  const open = async (tenantId: string, sealed: Uint8Array): Promise<unknown> =>
    JSON.parse(Buffer.from(await keyring.open(tenantId, "documents", sealed)).toString("utf8"));
  return {
    sealInput: seal,
    openInput: async (tenantId, sealed) => check.Parse(await open(tenantId, sealed)),
    sealRecord: seal,
    openRecord: async (tenantId, sealed) => parseRecord(await open(tenantId, sealed)),
  };
};

import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { documentTypesV2 } from "#contract/document-type";
import type { Caller } from "#contract/endpoint";
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

const providerSession = Type.Object({
  provider: Type.String(),
  /** Null until it is opened. */
  id: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601; null until all pictures are there. */
  submittedAt: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601; since when the provider gives no good answer, null while it does. */
  failingSince: Type.Union([Type.String(), Type.Null()]),
});

/** How far a provider outside is with a validation's pictures. */
export type ProviderSession = Static<typeof providerSession>;

const checkSession = Compile(providerSession);

const statement = Type.Object({
  decision: Type.Enum(["Approved", "Declined", "Resubmission"]),
  reasonCode: Type.Union([Type.Integer(), Type.Null()]),
  note: Type.String(),
});

/** What a person says of a document. */
export type Statement = Static<typeof statement>;

const checkStatement = Compile(statement);

/** Whose bytes they are: bound into the ciphertext, so that a row's bytes cannot stand in another row. */
export type Owner = { readonly tenantId: string; readonly id: string };

/** Input and record of a validation are JSON under the tenant's key for documents. */
export type Sealing = {
  /** Keyed hash of a caller's own reference, under which its attempts are counted. */
  readonly chainOf: (of: Pick<Caller, "tenantId" | "world">, merchantReference: string) => Promise<string>;
  readonly sealInput: (owner: Owner, input: ValidationInput) => Promise<Uint8Array>;
  readonly openInput: (owner: Owner, sealed: Uint8Array) => Promise<ValidationInput>;
  readonly sealRecord: (owner: Owner, record: VerificationRecord) => Promise<Uint8Array>;
  readonly sealSession: (owner: Owner, session: ProviderSession) => Promise<Uint8Array>;
  readonly openSession: (owner: Owner, sealed: Uint8Array) => Promise<ProviderSession>;
  readonly sealStatement: (owner: Owner, said: Statement) => Promise<Uint8Array>;
  readonly openStatement: (owner: Owner, sealed: Uint8Array) => Promise<Statement>;
  readonly openRecord: (owner: Owner, sealed: Uint8Array) => Promise<VerificationRecord>;
};

export const makeSealing = (keyring: Keyring): Sealing => {
  const seal =
    (part: string) =>
    ({ tenantId, id }: Owner, value: unknown): Promise<Uint8Array> =>
      keyring.seal(tenantId, "documents", Buffer.from(JSON.stringify(value)), `${part} ${id}`);
  const open = async (part: string, { tenantId, id }: Owner, sealed: Uint8Array): Promise<unknown> => {
    const plain = await keyring.open(tenantId, "documents", sealed, `${part} ${id}`);
    return JSON.parse(Buffer.from(plain).toString("utf8"));
  };
  return {
    chainOf: ({ tenantId, world }, merchantReference) =>
      keyring.pseudonym(tenantId, "documents", JSON.stringify(["chain", world, merchantReference])),
    sealInput: seal("validation-input"),
    openInput: async (owner, sealed) => check.Parse(await open("validation-input", owner, sealed)),
    sealSession: seal("provider-session"),
    openSession: async (owner, sealed) => checkSession.Parse(await open("provider-session", owner, sealed)),
    sealStatement: seal("review-statement"),
    openStatement: async (owner, sealed) =>
      checkStatement.Parse(await open("review-statement", owner, sealed)),
    sealRecord: seal("validation-record"),
    openRecord: async (owner, sealed) => parseRecord(await open("validation-record", owner, sealed)),
  };
};

import { type Static, Type } from "typebox";
import { documentTypesV2 } from "#contract/document-type";
import type { Caller } from "#contract/endpoint";
import { assetTypes } from "#contract/event";
import { Failure } from "#contract/failure";
import { makeCheck } from "#contract/make-check";
import { type ShapeError, shapeFaults } from "#contract/shape-fault";
import type { BoundContext, Keyring } from "#machine/storage/blobs";
import { recordShape, type VerificationRecord } from "../decision/verification-record.ts";

/** The operation of the call that started a validation, and its kept images. */
const operation = Type.Object({
  id: Type.String(),
  /** Transaction of the call that this operation has as a step; absent in an input of an earlier release. */
  call: Type.Optional(Type.String()),
  assets: Type.Array(Type.Object({ id: Type.String(), type: Type.Enum(assetTypes) })),
});

const validationInput = Type.Object({
  keyId: Type.String(),
  country: Type.String(),
  type: Type.Enum(documentTypesV2),
  merchantReference: Type.Union([Type.String(), Type.Null()]),
  frontBlobId: Type.String(),
  backBlobId: Type.Union([Type.String(), Type.Null()]),
  /** Absent where the validation belongs to none, and in an input of an earlier release. */
  operation: Type.Optional(operation),
});

/** Input of a validation that its row keeps sealed. */
export type ValidationInput = Static<typeof validationInput>;

const inputShape = makeCheck(validationInput);

const providerSession = Type.Object({
  provider: Type.String(),
  /** Null until the session is open. */
  id: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601; null until the provider has all images. */
  submittedAt: Type.Union([Type.String(), Type.Null()]),
  /** ISO 8601; time of the first failed call, null after a good answer. */
  failingSince: Type.Union([Type.String(), Type.Null()]),
});

/** Progress of a validation at an external provider. */
export type ProviderSession = Static<typeof providerSession>;

const sessionShape = makeCheck(providerSession);

const reviewStatement = Type.Object({
  decision: Type.Enum(["Approved", "Declined", "Resubmission"]),
  reasonCode: Type.Union([Type.Integer(), Type.Null()]),
  note: Type.String(),
});

/** Statement of a reviewer about a document. */
export type Statement = Static<typeof reviewStatement>;

const statementShape = makeCheck(reviewStatement);

/**
 * The row of sealed bytes. It is bound into the ciphertext: the bytes open in no other row and in no other
 * environment.
 */
export type Owner = Pick<Caller, "tenantId" | "environment"> & { readonly id: string };

/**
 * Seals the parts of a validation as JSON, with the tenant's key for documents. To open fails as
 * `Keyring.open`, and with stored_newer for a form of a newer release. The seal vouches that a release of
 * this program wrote the bytes.
 */
export type Sealing = {
  /** Keyed hash of the caller's own reference, under which attempts are counted. */
  readonly chainOf: (
    of: Pick<Caller, "tenantId" | "environment">,
    merchantReference: string,
  ) => Promise<string>;
  readonly sealInput: (owner: Owner, input: ValidationInput) => Promise<Uint8Array>;
  readonly openInput: (owner: Owner, sealed: Uint8Array) => Promise<ValidationInput>;
  readonly sealRecord: (owner: Owner, record: VerificationRecord) => Promise<Uint8Array>;
  readonly sealSession: (owner: Owner, session: ProviderSession) => Promise<Uint8Array>;
  readonly openSession: (owner: Owner, sealed: Uint8Array) => Promise<ProviderSession>;
  readonly sealStatement: (owner: Owner, statement: Statement) => Promise<Uint8Array>;
  readonly openStatement: (owner: Owner, sealed: Uint8Array) => Promise<Statement>;
  readonly openRecord: (owner: Owner, sealed: Uint8Array) => Promise<VerificationRecord>;
};

export const makeSealing = (keyring: Keyring): Sealing => {
  const seal =
    (part: string) =>
    (owner: Owner, value: unknown): Promise<Uint8Array> =>
      keyring.seal(owner.tenantId, "documents", Buffer.from(JSON.stringify(value)), contextOf(part, owner));
  const open =
    <Value>(part: string, shape: Shape<Value>) =>
    async (owner: Owner, sealed: Uint8Array): Promise<Value> =>
      parse(part, shape, await keyring.open(owner.tenantId, "documents", sealed, contextOf(part, owner)));
  return {
    chainOf: ({ tenantId, environment }, merchantReference) =>
      keyring.pseudonym(tenantId, "documents", JSON.stringify(["chain", environment, merchantReference])),
    sealInput: seal("validation-input"),
    openInput: open("validation-input", inputShape),
    sealSession: seal("provider-session"),
    openSession: open("provider-session", sessionShape),
    sealStatement: seal("review-statement"),
    openStatement: open("review-statement", statementShape),
    sealRecord: seal("validation-record"),
    openRecord: open("validation-record", recordShape),
  };
};

const contextOf = (part: string, { id, environment }: Owner): BoundContext => ({
  owner: `${part} ${id}`,
  environment,
});

type Shape<Value> = {
  readonly Check: (value: unknown) => value is Value;
  readonly Errors: (value: unknown) => readonly ShapeError[];
};

const parse = <Value>(part: string, shape: Shape<Value>, plain: Uint8Array): Value => {
  const value = readJson(plain);
  if (shape.Check(value)) return value;
  // Places and expectations only: a value can be personal.
  const cause = new Error(`The ${part} has another form: ${shapeFaults(shape.Errors(value)).join("; ")}`);
  throw new Failure("stored_newer", {}, { cause });
};

/** Undefined for bytes that are not JSON. */
const readJson = (plain: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(plain).toString("utf8"));
  } catch {
    return undefined;
  }
};

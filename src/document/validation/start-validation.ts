import type { Caller } from "#contract/endpoint";
import { Failure } from "#contract/failure";
import { asInput } from "#contract/input";
import { validationCode } from "#contract/validation-code";
import type { FileFacts } from "#imaging/image";
import type { Blobs } from "#storage/blobs";
import type { BlobRow, Continuing, Step, Store, TransactionRecord, Validation } from "#storage/store";
import type { DocumentEngine } from "../engine.ts";
import type { DeclaredType } from "../finding.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { DocumentPictures } from "../read-document.ts";
import type { GetValidationStatus } from "./find-validation.ts";
import type { Sealing } from "./sealed.ts";
import { silentBefore } from "./silence.ts";

export type NewDocument = {
  readonly version: 1 | 2;
  readonly caller: Caller;
  readonly endpoint: string;
  readonly transactionId: string;
  readonly receivedAt: Date;
  readonly country: string;
  readonly type: DeclaredType;
  readonly merchantReference: string | null;
  readonly pictures: DocumentPictures;
  /** The format that the caller says the pictures have; absent: whatever they are. */
  readonly format?: FileFacts["format"];
  /** The validation of which these are better pictures. */
  readonly resubmits?: string;
  readonly signal: AbortSignal;
};

/**
 * Accepts a document for validation and names it. Every picture is decoded first, so that a refused call stores
 * nothing. Then the encrypted pictures, then the row with its job and transaction in one commit. Once that commit is
 * asked for, no picture is removed here, whatever becomes of it: a store may fail after its commit, and a job must
 * never lack its pictures. Those that no row came to name are left to the sweeper, as after a crash. Fails with
 * image_unreadable | image_unsupported | image_too_large (inputs `front`, `back`) | request_invalid | engine_busy, and for
 * better pictures not_found | transition_refused.
 */
export type StartValidation = (document: NewDocument) => Promise<string>;

export type StartValidationDeps = {
  readonly store: Pick<Store, "createValidation" | "resubmitValidation">;
  readonly getStatus: GetValidationStatus;
  readonly blobs: Pick<Blobs, "put" | "remove">;
  readonly sealing: Sealing;
  readonly engine: DocumentEngine;
  readonly policy: DocumentPolicy;
  readonly newId: () => string;
  /** Tells the local worker that a job is due. */
  readonly poke: () => void;
};

export const makeStartValidation =
  (deps: StartValidationDeps): StartValidation =>
  async (sent) => {
    const former = sent.resubmits === undefined ? undefined : await getWaiting(deps, sent, sent.resubmits);
    const document = former === undefined ? sent : await takingUp(deps, sent, former);
    await inspectAll(deps.engine, document);
    const stored = await storePictures(deps.blobs, document);
    return former === undefined
      ? await createRow(deps, document, stored)
      : await renewRow(deps, document, former, stored);
  };

const refused = (options?: ErrorOptions): Failure =>
  new Failure("transition_refused", { code: validationCode.transitionInvalid.code }, options);

const getWaiting = async (
  { getStatus }: StartValidationDeps,
  { caller }: NewDocument,
  reference: string,
): Promise<Validation> => {
  const former = await getStatus(caller, reference);
  if (former.decision !== "Resubmission" || former.waitsSince === undefined) {
    throw refused();
  }
  return former;
};

/** Better pictures are the same customer's, in the caller's own words, unless they name another. */
const takingUp = async (
  { sealing }: StartValidationDeps,
  document: NewDocument,
  former: Validation,
): Promise<NewDocument> => {
  if (document.merchantReference !== null && document.merchantReference !== "") return document;
  const { merchantReference } = await sealing
    .openInput(former, former.sealedInput)
    .catch((error: unknown) => Promise.reject(orRefused(error)));
  return { ...document, merchantReference };
};

/** What is damaged cannot go on: a new start can. */
const orRefused = (error: unknown): unknown =>
  error instanceof Failure && error.code === "stored_damaged" ? refused({ cause: error }) : error;

type StoredPicture = { readonly kind: string; readonly id: string; readonly bytes: number };

const inspectAll = async (engine: DocumentEngine, document: NewDocument): Promise<void> => {
  const inspect = async ([side, bytes]: readonly [string, Uint8Array]): Promise<void> => {
    const { format } = await asInput(side, () => engine.inspect(bytes, document.signal));
    if (document.format !== undefined && format !== document.format) {
      throw new Failure("image_unsupported", {
        code: validationCode.imageContextUnsupported.code,
        errors: [`documentRawImageMimeType: says ${document.format}, a picture is ${format}`],
      });
    }
  };
  await Promise.all(Object.entries(document.pictures).map(inspect));
};

/** Both at once, and durable when it resolves: no row names them yet, so that a process that dies meanwhile leaves orphans. */
const storePictures = async (
  blobs: Pick<Blobs, "put" | "remove">,
  { caller: { tenantId }, pictures: { front, back } }: NewDocument,
): Promise<readonly StoredPicture[]> => {
  const put = async (kind: string, bytes: Uint8Array): Promise<StoredPicture> => ({
    kind,
    ...(await blobs.put(tenantId, bytes)),
  });
  const puts = [put("document-front", front), ...(back === undefined ? [] : [put("document-back", back)])];
  // Each has ended, so that none is stored after the others were removed.
  const ends = await Promise.allSettled(puts);
  const stored = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed !== undefined) {
    await removeAll(blobs, tenantId, stored);
    throw failed.reason;
  }
  return stored;
};

const removeAll = async (
  blobs: Pick<Blobs, "remove">,
  tenantId: string,
  stored: readonly StoredPicture[],
): Promise<void> => {
  // What cannot be removed now is an orphan for the sweeper; the caller must learn the first error, not this one.
  await Promise.allSettled(stored.map(({ id }) => blobs.remove(tenantId, id)));
};

/** What the row and its pictures say, sealed for a validation. */
const prepare = async (
  { sealing }: StartValidationDeps,
  { caller: { tenantId, keyId }, country, type, merchantReference, receivedAt: createdAt }: NewDocument,
  id: string,
  stored: readonly StoredPicture[],
) => ({
  sealedInput: await sealing.sealInput(
    { tenantId, id },
    {
      keyId,
      country,
      type,
      merchantReference,
      frontBlobId: stored[0]!.id,
      backBlobId: stored[1]?.id ?? null,
    },
  ),
  blobIds: stored.map((picture) => picture.id),
  rows: stored.map((picture): BlobRow => ({ ...picture, tenantId, createdAt })),
});

const noStep: Step = { events: [], evidence: [] };

/** The same validation goes to work again. Where another call was faster, these pictures belong to nothing and go. */
const renewRow = async (
  deps: StartValidationDeps,
  document: NewDocument,
  { id, revision }: Validation,
  stored: readonly StoredPicture[],
): Promise<string> => {
  const { caller, version, receivedAt: at } = document;
  const { tenantId } = caller;
  const { sealedInput, blobIds, rows } = await prepare(deps, document, id, stored);
  const isTaken = await deps.store.resubmitValidation(
    { tenantId, id, version, sealedInput, revision, at, blobIds },
    rows,
    transactionOf(document, id, deps.policy.version),
    noStep,
  );
  if (!isTaken) {
    await removeAll(deps.blobs, tenantId, stored);
    throw refused();
  }
  deps.poke();
  return id;
};

/** Where the policy says that a caller's reference is one person's, it counts attempts over new validations too. */
const continuing = async (
  { sealing, policy }: StartValidationDeps,
  { caller, merchantReference, receivedAt }: NewDocument,
): Promise<{ readonly continues?: Continuing }> => {
  if (
    !policy.resubmission.countsMerchantReference ||
    merchantReference === null ||
    merchantReference === ""
  ) {
    return {};
  }
  const chain = await sealing.chainOf(caller, merchantReference);
  return { continues: { chain, waitingSince: silentBefore(policy, receivedAt) } };
};

const createRow = async (
  deps: StartValidationDeps,
  document: NewDocument,
  stored: readonly StoredPicture[],
): Promise<string> => {
  const { caller, version, receivedAt: createdAt } = document;
  const { tenantId, world } = caller;
  const id = deps.newId();
  const { sealedInput, blobIds, rows } = await prepare(deps, document, id, stored);
  const continues = await continuing(deps, document);
  await deps.store.createValidation(
    { id, tenantId, world, version, createdAt, sealedInput, blobIds, ...continues },
    rows,
    transactionOf(document, id, deps.policy.version),
    noStep,
  );
  deps.poke();
  return id;
};

const transactionOf = (document: NewDocument, scanId: string, policyVersion: string): TransactionRecord => ({
  id: document.transactionId,
  tenantId: document.caller.tenantId,
  keyId: document.caller.keyId,
  world: document.caller.world,
  endpoint: document.endpoint,
  at: document.receivedAt,
  result: { scanReference: scanId },
  measurements: {
    frontBytes: document.pictures.front.length,
    backBytes: document.pictures.back?.length ?? 0,
  },
  policyVersion,
  models: {},
  tokenHashes: [],
});

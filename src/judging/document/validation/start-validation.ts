import { Failure } from "#contract/failure";
import { allInputs, asInput } from "#contract/input";
import { validationCode } from "#contract/validation-code";
import type { FileFacts } from "#machine/imaging/image";
import type { BlobRow } from "#machine/storage/blob-store";
import type { Blobs, PutBlob } from "#machine/storage/blobs";
import type {
  OperationDetails,
  OperationReference,
  OperationStep,
  TrackCall,
} from "#record/transactions/operation-step";
import { type RecordedCall, stepOf, transactionOf } from "#record/transactions/record-call";
import { capturedEvent, ocrOfDeclared } from "../decision/captured-document.ts";
import type { DeclaredType } from "../decision/finding.ts";
import type { DocumentPolicy } from "../decision/policy.ts";
import type { DocumentEngine } from "../reading/engine.ts";
import type { DocumentImages } from "../reading/read-document.ts";
import type { Continuing, Validation } from "../store/validation.ts";
import type { ValidationCommands } from "../store/validation-store.ts";
import type { WaitingCommands } from "../store/waiting-store.ts";
import { getValidationStatus } from "./find-validation.ts";
import type { Sealing } from "./sealed.ts";
import { referenceOf } from "./track-validation.ts";
import { waitCutoff } from "./wait-cutoff.ts";

export type NewDocument = RecordedCall & {
  readonly version: 1 | 2;
  readonly endpoint: string;
  readonly country: string;
  readonly type: DeclaredType;
  readonly merchantReference: string | null;
  readonly images: DocumentImages;
  /** The declared format of the images. Absent: any format. */
  readonly format?: FileFacts["format"];
  /** The validation that asked for these better images. */
  readonly resubmits?: string;
  readonly signal: AbortSignal;
};

/**
 * Accepts a document for validation and returns its reference. Decodes every image first, so that a refused
 * call stores nothing. Then stores the encrypted images, then the row with its job, transaction and step in
 * one commit. An operation has its own copies of the images, since their retention is another. After the
 * request for that commit, no image is removed here, also if it fails: a store may fail after its commit, and
 * a job must have its images. The sweep removes images that no row names, as after a crash. Fails with
 * image_unreadable | image_unsupported | image_too_large (inputs `front`, `back`) | request_invalid |
 * engine_busy, and for better images with not_found | transition_refused.
 * Made by {@link makeStartValidation}.
 */
export type StartValidation = (document: NewDocument) => Promise<string>;

export type StartValidationDeps = {
  readonly store: Pick<ValidationCommands, "createValidation" | "findValidation"> &
    Pick<WaitingCommands, "resubmitValidation">;
  readonly blobs: Pick<Blobs, "put" | "remove">;
  readonly sealing: Sealing;
  readonly trackCall: TrackCall;
  readonly engine: DocumentEngine;
  readonly policy: DocumentPolicy;
  readonly newId: () => string;
  /** Wakes the loop of this process, because a job is due. */
  readonly wake: () => void;
};

export const makeStartValidation =
  (deps: StartValidationDeps): StartValidation =>
  async (request) => {
    const former =
      request.resubmits === undefined ? undefined : await getWaiting(deps, request, request.resubmits);
    const document = former === undefined ? request : await continueFormer(deps, request, former);
    await inspectAll(deps.engine, document);
    const step = await deps.trackCall(document, document.endpoint, detailsOf(document));
    const accepted: Accepted = { document, step, stored: await storeImages(deps.blobs, document) };
    return former === undefined ? await createRow(deps, accepted) : await updateRow(deps, accepted, former);
  };

/** The document is captured here and read later. */
const detailsOf = ({
  merchantReference,
  images: { front, back },
  ...declared
}: NewDocument): OperationDetails => ({
  customer: merchantReference ?? undefined,
  images: { id_front: front, ...(back && { id_back: back }) },
  events: [capturedEvent(ocrOfDeclared(declared))],
});

const refused = (options?: ErrorOptions): Failure =>
  new Failure("transition_refused", { code: validationCode.transitionInvalid.code }, options);

const getWaiting = async (
  deps: StartValidationDeps,
  { caller }: NewDocument,
  reference: string,
): Promise<Validation> => {
  const former = await getValidationStatus(deps, caller, reference);
  if (former.decision !== "Resubmission" || former.waitsSince === undefined) {
    throw refused();
  }
  return former;
};

/** The document of a first start, or better images with what they keep of the former ones. */
type Continued = NewDocument & {
  /** The operation of the former images; it counts where the call names none. */
  readonly operation?: OperationReference;
};

/**
 * Better images keep the caller's own reference and the operation of the validation, unless they name another
 * one. The operation has no copy of images that came without its name, so that later events link to none.
 */
const continueFormer = async (
  { sealing }: StartValidationDeps,
  document: NewDocument,
  former: Validation,
): Promise<Continued> => {
  const { merchantReference, operation } = await sealing
    .openInput(former, former.sealedInput)
    .catch((error: unknown) => Promise.reject(orRefused(error)));
  return {
    ...document,
    merchantReference: document.merchantReference || merchantReference,
    ...(operation && { operation: { ...operation, assets: [] } }),
  };
};

/** A damaged validation cannot continue. The caller can start a new one. */
const orRefused = (error: unknown): unknown =>
  error instanceof Failure && error.code === "stored_damaged" ? refused({ cause: error }) : error;

/** A document whose images are stored, and no row names them yet. */
type Accepted = {
  readonly document: Continued;
  /** Undefined where the call names no operation. */
  readonly step: OperationStep | undefined;
  readonly stored: readonly StoredImage[];
};

type StoredImage = PutBlob & { readonly kind: string };

const inspectAll = async (engine: DocumentEngine, document: NewDocument): Promise<void> => {
  const inspect = async ([side, bytes]: readonly [string, Uint8Array]): Promise<void> => {
    await asInput(side, async () => {
      const { format } = await engine.inspect(bytes, document.signal);
      if (document.format === undefined || format === document.format) return;
      throw new Failure("image_unsupported", {
        code: validationCode.imageContextUnsupported.code,
        errors: [`documentRawImageMimeType: states ${document.format}, and the image is ${format}`],
        sent: format,
        stated: document.format,
      });
    });
  };
  await allInputs(Object.entries(document.images).map(inspect));
};

/**
 * Stores both images at the same time. They are durable when it resolves. No row names them yet, so after a
 * crash here they are orphans.
 */
const storeImages = async (
  blobs: Pick<Blobs, "put" | "remove">,
  { caller: { tenantId }, images: { front, back } }: NewDocument,
): Promise<readonly StoredImage[]> => {
  const put = async (kind: string, bytes: Uint8Array): Promise<StoredImage> => ({
    kind,
    ...(await blobs.put(tenantId, bytes)),
  });
  const puts = [put("document-front", front), ...(back === undefined ? [] : [put("document-back", back)])];
  // Wait for both, so that no image is stored after the other was removed.
  const results = await Promise.allSettled(puts);
  const stored = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) {
    await removeAll(blobs, tenantId, stored);
    throw failed.reason;
  }
  return stored;
};

const removeAll = async (
  blobs: Pick<Blobs, "remove">,
  tenantId: string,
  stored: readonly Pick<StoredImage, "id">[],
): Promise<void> => {
  // An image that cannot be removed is an orphan for the sweep. The caller gets the first error, not this
  // one.
  await Promise.allSettled(stored.map(({ id }) => blobs.remove(tenantId, id)));
};

/** The sealed input and the blob rows of a validation. */
const prepare = async (
  { sealing }: StartValidationDeps,
  { document, step, stored }: Accepted,
  id: string,
) => {
  const { country, type, merchantReference, receivedAt: createdAt } = document;
  const { tenantId, environment, keyId } = document.caller;
  const operation = step === undefined ? document.operation : referenceOf(step);
  const input = {
    keyId,
    country,
    type,
    merchantReference,
    frontBlobId: stored[0]!.id,
    backBlobId: stored[1]?.id ?? null,
    ...(operation && { operation: { ...operation, assets: [...operation.assets] } }),
  };
  return {
    sealedInput: await sealing.sealInput({ tenantId, environment, id }, input),
    blobIds: stored.map((image) => image.id),
    rows: stored.map((image): BlobRow => ({ ...image, tenantId, createdAt })),
  };
};

/** Makes the same validation due again. If another call won the race, deletes the images just stored. */
const updateRow = async (
  deps: StartValidationDeps,
  accepted: Accepted,
  { id, revision }: Validation,
): Promise<string> => {
  const { document, step, stored } = accepted;
  const { caller, version, receivedAt: at } = document;
  const { tenantId } = caller;
  const { sealedInput, blobIds, rows } = await prepare(deps, accepted, id);
  const isTaken = await deps.store.resubmitValidation(
    { tenantId, id, version, sealedInput, revision, at, blobIds },
    rows,
    recordOf(document, id, deps.policy.version),
    stepOf({ operation: step }),
  );
  if (!isTaken) {
    const copies = step?.assets.map(({ blobId }) => ({ id: blobId })) ?? [];
    await removeAll(deps.blobs, tenantId, [...stored, ...copies]);
    throw refused();
  }
  deps.wake();
  return id;
};

/** If the policy treats a caller's reference as one customer, attempts count across new validations too. */
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
  return { continues: { chain, waitingSince: waitCutoff(policy, receivedAt) } };
};

const createRow = async (deps: StartValidationDeps, accepted: Accepted): Promise<string> => {
  const { document, step } = accepted;
  const { caller, version, receivedAt: createdAt } = document;
  const { tenantId, environment } = caller;
  const id = deps.newId();
  const { sealedInput, blobIds, rows } = await prepare(deps, accepted, id);
  const continues = await continuing(deps, document);
  await deps.store.createValidation(
    { id, tenantId, environment, version, createdAt, sealedInput, blobIds, ...continues },
    rows,
    recordOf(document, id, deps.policy.version),
    stepOf({ operation: step }),
  );
  deps.wake();
  return id;
};

const recordOf = (document: NewDocument, scanId: string, policyVersion: string) => {
  const { endpoint, images } = document;
  return transactionOf(document, {
    endpoint,
    result: { scanReference: scanId },
    measurements: { frontBytes: images.front.length, backBytes: images.back?.length ?? 0 },
    policyVersion,
  });
};
